import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { systemClock } from "../../base/clock.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { StoredBatchRun } from "../../operations/batch/port/batch-run.ts";
import type { StoredPipelineRun } from "../../operations/pipelines/port/pipeline-store.ts";
import { openRuntime, type Runtime } from "./runtime.ts";

/** A home with real runs in it, and a clock whose days a test moves on. */
export class WorkPlace {
  readonly home: string;
  /** The folder of pipelines and of runs' own `--output`. */
  readonly cwd: string;
  readonly warnings: string[] = [];
  runtime!: Runtime;
  #daysLater = 0;

  static async open(t: TestContext, config: string | ((cwd: string) => string) = ""): Promise<WorkPlace> {
    const place = new WorkPlace();
    mkdirSync(place.home, { mode: 0o700 });
    mkdirSync(place.cwd);
    writeFileSync(join(place.home, "config.yaml"), typeof config === "string" ? config : config(place.cwd));
    place.runtime = await place.another();
    t.after(async () => {
      await place.runtime.close();
      rmSync(dirname(place.home), { recursive: true });
    });
    return place;
  }

  private constructor() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-work-")));
    [this.home, this.cwd] = [join(folder, "home"), join(folder, "work")];
  }

  /** Another process on the same home. */
  another(): Promise<Runtime> {
    const { home, cwd, warnings } = this;
    const log = { warn: (message: string) => void warnings.push(message) };
    const clock = { ...systemClock, now: () => Date.now() + this.#daysLater * 86_400_000 };
    return openRuntime({ home, cwd, env: process.env, log, clock });
  }

  later(days: number): void {
    this.#daysLater += days;
  }

  write(name: string, text: string): string {
    const file = join(this.cwd, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Runs 100 records whose amounts begin at `shift` to their end. */
  async batch(run_id: string, shift: number, settings: JsonObject = {}): Promise<StoredBatchRun> {
    const runs = await this.runtime.batch.open();
    const input = this.write(`${run_id}.jsonl`, amounts(shift));
    const told = { processor: "echo", concurrency: 1, cwd: this.cwd, input, ...settings };
    await runs.submit({ run_id, settings: told, records: null, actor: "human:ann" });
    return this.batchEnd(run_id);
  }

  async batchEnd(runId: string): Promise<StoredBatchRun> {
    const runs = await this.runtime.batch.open();
    for (;;) {
      const run = await runs.find(runId);
      if (run.state !== "running") return run;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Runs a pipeline to its end. */
  async pipeline(name: string): Promise<StoredPipelineRun> {
    const { pipelines } = await this.runtime.pipelines.open();
    const begun = await pipelines.start(name, this.cwd, { actor: "human:ann" });
    return pipelines.ended(begun.run_id);
  }

  async check(config: JsonObject) {
    const drift = await this.runtime.drift.open();
    const { signal } = new AbortController();
    return drift.check(config, { name: "fraud", cwd: this.cwd, actor: "human:ann", signal });
  }
}

/** A hundred records; the amounts of two whose shifts differ by 60 have a KS statistic of 0.6. */
export function amounts(shift: number): string {
  const rows = Array.from({ length: 100 }, (_, at) => ({ amount: at + shift, word: "a" }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
