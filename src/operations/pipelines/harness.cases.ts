import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { StoredPipelineRun } from "./port/pipeline-store.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { openRuntime, type Runtime } from "../../daemon/runtime/runtime.ts";
import type { RunWish } from "./pipelines.ts";

/** A project with a pipeline in it, and what is needed to run it. */
export class PipelinePlace {
  readonly home: string;
  readonly cwd: string;
  readonly warnings: string[] = [];
  runtime!: Runtime;

  static async open(
    t: TestContext,
    files: Readonly<Record<string, string>>,
    userConfig = "",
  ): Promise<PipelinePlace> {
    const place = new PipelinePlace();
    for (const [name, text] of Object.entries(files)) place.write(name, text);
    mkdirSync(place.home, { mode: 0o700 });
    writeFileSync(join(place.home, "config.yaml"), userConfig);
    place.runtime = await place.another();
    t.after(async () => {
      await place.runtime.close();
      rmSync(dirname(place.home), { recursive: true });
    });
    if (files["swarm.yaml"] !== undefined) await place.approve();
    return place;
  }

  private constructor() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-pipelines-")));
    [this.home, this.cwd] = [join(folder, "home"), join(folder, "project")];
  }

  /** Another process on the same home. */
  another(): Promise<Runtime> {
    const { home, cwd } = this;
    const log = { warn: (message: string) => void this.warnings.push(message) };
    return openRuntime({ home, cwd, env: process.env, log });
  }

  async approve(): Promise<void> {
    await approveProject(this.runtime, this.cwd);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, name)), { recursive: true });
    writeFileSync(join(this.cwd, name), text);
  }

  read(name: string): string | null {
    const file = join(this.cwd, name);
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  }

  async pipelines() {
    return (await this.runtime.pipelines.open()).pipelines;
  }

  async models() {
    return (await this.runtime.pipelines.open()).models;
  }

  /** Runs a pipeline to its end. */
  async run(wish: Partial<RunWish> = {}, name = "fraud"): Promise<StoredPipelineRun> {
    const pipelines = await this.pipelines();
    const begun = await pipelines.start(name, this.cwd, { actor: "human:ann", ...wish });
    return pipelines.ended(begun.run_id);
  }

  async resume(runId: string): Promise<StoredPipelineRun> {
    const pipelines = await this.pipelines();
    await pipelines.resume(runId, { actor: "human:bob" });
    return pipelines.ended(runId);
  }

  /** How each step went, by name. */
  async statuses(runId: string): Promise<Record<string, string>> {
    const steps = await (await this.pipelines()).steps(runId);
    return Object.fromEntries(steps.map(({ step, status }) => [step, status]));
  }

  runFile(runId: string): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.home, "pipelines", runId, "run.json"), "utf8"));
  }

  async rows(event?: string) {
    return (await this.runtime.store.listRunEvents({ limit: 1_000, event })).reverse();
  }

  async decide(decision: "approved" | "denied"): Promise<string> {
    const [approval] = await this.runtime.store.approvals.list({ limit: 1, status: "pending" });
    assert.ok(approval !== undefined, "nothing is asked");
    await this.runtime.approvals.decide(approval.id, decision, "human:ada", "looked at it");
    return approval.id;
  }
}

/** Two steps that depend on each other and on the data, and say each time they run. */
export const fraud = `pipelines:
  fraud:
    data: { pattern: "data/*.csv" }
    steps:
      prepare:
        run: [sh, prepare.sh]
        outputs: [build/features.txt]
      train:
        run: sort build/features.txt > build/model.txt && echo '{"auc":0.5,"test":{"n":3}}' > build/m.json; echo train >> ran
        needs: [prepare]
        inputs: [build/features.txt, params.txt]
        outputs: [build/model.txt]
        environment: { SEED: "7" }
        metrics: build/m.json
`;

export const fraudFiles: Readonly<Record<string, string>> = {
  "swarm.yaml": fraud,
  "prepare.sh": 'mkdir -p build && cp "$SWARM_DATA" build/features.txt && echo prepare >> ran\n',
  "params.txt": "1\n",
  "data/a.csv": "b\na\nc\n",
};
