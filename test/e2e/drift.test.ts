import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { WebhookReceiver, webhookConfig } from "../faults/webhooks.ts";
import { bin, endOf, Place, trustedPlace, until } from "./harness.ts";

const root = join(import.meta.dirname, "../..");

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly reason: string | null;
}

async function ended(place: Place, job: string): Promise<Run> {
  for (;;) {
    const { items } = await place.json<{ items: Run[] }>("cron", "runs", job);
    const [run] = items;
    if (run !== undefined && !["queued", "running"].includes(run.status)) return run;
  }
}

suite("swarm drift", () => {
  test("does what its document shows, line by line", async (t) => {
    const document = readFileSync(join(root, "docs/drift.md"), "utf8");
    const lines = (/```sh\n([^`]+)```/.exec(document)?.[1] ?? "").trim().split("\n");
    const place = new Place(t);
    cpSync(join(root, "examples/drift"), place.project, { recursive: true });
    const said: string[] = [];
    for (const line of lines) {
      const script = `swarm() { "${process.execPath}" "${bin}" "$@"; }\n${line}`;
      const { status, stdout, stderr } = await endOf(place.start("bash", ["-c", script]));
      assert.equal(stderr, "", line);
      said.push(`${status}\n${stdout}`);
    }
    const [set, shown, april, may, lenient, list, planned, created, ran, runs] = said;
    assert.match(set ?? "", /^0\npayments: 400 records, 5 features of .*march\.jsonl\n$/);
    assert.match(shown ?? "", /^customer\.age +number +400 +-$/m);
    assert.match(april ?? "", /^0\n[\s\S]*\nno drift: 5 features within their thresholds\nreport /);
    assert.match(may ?? "", /^65\n[\s\S]*\ndrift: amount KS 0\.412 over 0\.15; /);
    const table = /```\n( +FEATURE[^`]+)```/.exec(document)?.[1] ?? assert.fail("the document has no table");
    assert.ok(may?.includes(table.trimEnd()), "the table of the document is what is printed");
    assert.match(lenient ?? "", /^65\n[\s\S]*\ndrift: country PSI /);
    assert.equal(list?.match(/^dr_\w+ /gm)?.length, 3);
    assert.match(
      planned ?? "",
      /^0\nmonthly: [\s\S]*\ntask drift_check:\n {2}baseline {2}baseline payments [\s\S]*nothing was made\n$/,
    );
    assert.match(created ?? "", /^0\ncj_/);
    assert.match(ran ?? "", /^0\n[\s\S]*drift: amount KS 0\.412 over 0\.15[\s\S]*report: .*report\.html/);
    assert.match(runs ?? "", /completed .*drift: amount KS 0\.412 over 0\.15/);
    assert.match((await place.swarm("audit", "verify")).stdout, /^intact: /);
  });

  test("a job finds drift in the daemon: hooks and webhooks hear of it, and the run says so", async (t) => {
    const receiver = new WebhookReceiver();
    const port = await receiver.listen();
    t.after(() => receiver.close());
    const place = await trustedPlace(
      t,
      `hooks:\n  - { event: alert.raised, type: script, match: nightly_fraud_drift, command: "cat > told; echo >> told" }\n`,
    );
    writeFileSync(
      join(place.home, "config.yaml"),
      webhookConfig(port, ["/a"]).replace("task.completed", "alert.raised"),
    );
    await place.up();
    const example = (file: string) => join(root, "examples/drift", file);
    const submit = ["batch", "submit", "--processor", "echo", "--name", "fraud"];
    await place.json(...submit, "--input", example("march.jsonl"), "--run-id", "abc123");
    const own = join(place.project, "results");
    await place.json(...submit, "--input", example("may.jsonl"), "--run-id", "today", "--output", own);
    const config = '{"baseline_run_id": "abc123", "window_hours": 24}';
    const job = ["--name", "nightly_fraud_drift", "--schedule", "0 3 * * *", "--task", "drift_check"];
    await place.json("cron", "create", ...job, "--config", config);
    await place.json("cron", "run", "nightly_fraud_drift");
    const run = await ended(place, "nightly_fraud_drift");
    assert.equal(run.status, "completed");
    assert.match(run.reason ?? "", /^drift: amount KS 0\.412 over 0\.15; /);
    const told = JSON.parse(await place.written("told")) as { event: string; data: Record<string, unknown> };
    assert.deepEqual(
      [told.event, told.data.name, told.data.message],
      ["alert.raised", "nightly_fraud_drift", run.reason],
    );
    await until(() => receiver.arrived.length === 1);
    assert.equal(existsSync(join(place.home, "drift", run.run_id, "report.html")), true);
    assert.match(
      (await place.swarm("drift", "show", run.run_id)).stdout,
      /1 batch run of the last 24 h \(today\)/,
    );
    const { stdout: status } = await place.swarm("batch", "status", "today");
    assert.match(
      status,
      new RegExp(`\\ndrift: amount KS 0\\.412 .* \\(swarm drift show ${run.run_id}\\)\\n$`),
    );
    const { stdout: list } = await place.swarm("batch", "list");
    assert.match(list, /^today .* drift /m);
    assert.match(list, /^abc123 .* - /m);
    const byId = await place.swarm(
      "drift",
      "check",
      "--baseline",
      "abc123",
      "--window",
      "today",
      "--ignore",
      "id,at",
    );
    assert.deepEqual([byId.status, /batch run today/.test(byId.stdout)], [65, true]);
    const mistyped = await place.swarm("drift", "check", "--baseline", "abc124", "--window", "today");
    assert.deepEqual([mistyped.status, /did you mean "abc123"\?/.test(mistyped.stderr)], [65, true]);
  });

  test("what is wrong with a job's configuration is told by its field when it is made", async (t) => {
    const place = new Place(t);
    const made = async (config: object) => {
      const args = [
        "--name",
        "d",
        "--schedule",
        "@daily",
        "--task",
        "drift_check",
        "--config",
        JSON.stringify(config),
      ];
      const { status, stderr } = await place.swarm("cron", "create", ...args);
      assert.equal(status, 64, stderr);
      return stderr;
    };
    assert.match(
      await made({}),
      /config of task drift_check: baseline is undefined, expected baseline, baseline_run_id or model/,
    );
    assert.match(await made({ baseline: "a.csv" }), /window is undefined, expected window or window_run_id/);
    assert.match(
      await made({ baseline: "a", window_hours: "24" }),
      /window_hours is "24", expected a finite number/,
    );
    assert.match(
      await made({ baseline: "a", window_hour: 24 }),
      /"window_hour", did you mean "window_hours"/,
    );
    assert.match(
      await made({ baseline: "a", thresholds: { amount: { kss: 1 } } }),
      /thresholds .*only ks, psi, chi2_p/,
    );
  });
});
