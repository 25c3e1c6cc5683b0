import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { slowUntil } from "./harness.cases.ts";
import { openApp } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";

interface Status {
  readonly run_id: string;
  readonly state: string;
  readonly leg: number;
  readonly done_count: number;
  readonly failed_count: number;
  readonly results_bytes: number;
  readonly output: string;
}

const at = (runId: string, rest = "") => `/api/v1/batch/${runId}${rest}`;
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `{"record_id":"r${index}"}\n`).join("");

async function opened(t: TestContext, config?: string) {
  const app = await openApp(t, config);
  const over = async (runId: string): Promise<Status> => {
    for (;;) {
      const { body } = await app.call<Status>("GET", at(runId, "/status"));
      if (body.state !== "running") return body;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { ...app, over };
}

/** The operations of batch runs; every answer is held against the document. */
export function batchRouteCases(): void {
  suite("/api/v1/batch", () => {
    test("records that are sent are run, their results fetched whole or in part, and the run forgotten", async (t) => {
      const { app, call, over, home } = await opened(t);
      const query = "?processor=echo&concurrency=1&checkpoint_records=5";
      const begun = await call<Status>("POST", at("r1", query), lines(20));
      assert.deepEqual([begun.status, begun.body.state, begun.body.leg], [200, "running", 1]);
      const run = await over("r1");
      assert.deepEqual([run.state, run.done_count, run.failed_count], ["completed", 20, 0]);
      const text = readFileSync(join(home, "batch/r1/results.jsonl"), "utf8");
      const whole = await call("GET", at("r1", "/results"));
      assert.equal(whole.text, text);
      const { headers } = whole;
      assert.equal(headers.get("content-length"), String(text.length));
      assert.equal(headers.get("accept-ranges"), "bytes");
      const etag = headers.get("etag") ?? "";

      const ranged = (range: string, more: object = {}) =>
        app.request(at("r1", "/results"), { headers: { host: "localhost", range, ...more } });
      const size = text.length;
      for (const [range, expected, part] of [
        ["bytes=0-9", text.slice(0, 10), `bytes 0-9/${size}`],
        [`bytes=${size - 5}-`, text.slice(-5), `bytes ${size - 5}-${size - 1}/${size}`],
        ["bytes=-7", text.slice(-7), `bytes ${size - 7}-${size - 1}/${size}`],
        [`bytes=3-${size + 99}`, text.slice(3), `bytes 3-${size - 1}/${size}`],
      ] as const) {
        const response = await ranged(range);
        assert.deepEqual([response.status, response.headers.get("content-range")], [206, part], range);
        assert.equal(await response.text(), expected);
      }
      for (const range of [`bytes=${size}-`, "bytes=-0"]) {
        const response = await ranged(range);
        assert.deepEqual([response.status, response.headers.get("content-range")], [416, `bytes */${size}`]);
      }
      for (const range of ["bytes=5-2", "lines=1-2", "bytes=0-1,3-4"])
        assert.equal((await ranged(range)).status, 200, range);
      assert.equal((await ranged("bytes=0-1", { "if-range": '"another"' })).status, 200);
      assert.equal((await ranged("bytes=0-1", { "if-range": etag })).status, 206);
      assert.equal((await ranged("", { "if-none-match": etag })).status, 304);
      const head = await app.request(at("r1", "/results"), {
        method: "HEAD",
        headers: { host: "localhost" },
      });
      assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(size)]);

      // What is written and not durable yet is nobody's business.
      appendFileSync(join(home, "batch/r1/results.jsonl"), '{"record_id":"r20","out');
      assert.equal((await call("GET", at("r1", "/results"))).text, text);
      assert.equal(await (await ranged("bytes=-7")).text(), text.slice(-7));

      assert.equal((await call("GET", at("r1", "/errors"))).text, "");
      const { body: report } = await call<{ stats: { counts: object } }>("GET", at("r1", "/report"));
      assert.deepEqual(report.stats.counts, { records: 20, done: 20, failed: 0 });
      const { body: list } = await call<{ items: Status[] }>("GET", "/api/v1/batch?state=completed");
      assert.deepEqual(
        list.items.map(({ run_id }) => run_id),
        ["r1"],
      );
      const again = await call<Problem>("POST", at("r1", query), lines(1));
      assert.deepEqual([again.status, again.body.code], [409, "SWARM_BATCH_RUN_TAKEN"]);
      assert.equal((await call("DELETE", at("r1", "?purge=true"))).status, 200);
      assert.equal((await call<Problem>("GET", at("r1", "/status"))).body.code, "SWARM_BATCH_RUN_UNKNOWN");
      assert.deepEqual(readdirSync(join(home, "batch")), [".incoming"]);
    });

    test("a compressed body and a file are read alike, by what they begin with", async (t) => {
      const { call, over, cwd } = await opened(t);
      const compressed = new Uint8Array(gzipSync(lines(9)));
      const gzip = { "content-encoding": "gzip" };
      assert.equal((await call("POST", at("r1", "?processor=echo"), compressed, gzip)).status, 200);
      assert.equal((await over("r1")).done_count, 9);
      const file = join(cwd, "records");
      writeFileSync(file, compressed);
      const query = new URLSearchParams({ processor: "echo", input: file, output: join(cwd, "out") });
      assert.equal((await call("POST", at("r2", `?${query}`))).status, 200);
      assert.deepEqual([(await over("r2")).done_count, readdirSync(join(cwd, "out")).length > 2], [9, true]);
    });

    test("a run that is under way is cancelled once, and taken up again", async (t) => {
      const { call, over, home } = await opened(t);
      const { processor, config } = slowUntil(join(home, "seen"));
      const query = new URLSearchParams({ processor, config: JSON.stringify(config), chunk_records: "5" });
      assert.equal((await call("POST", at("r1", `?${query}`), lines(1_000))).status, 200);
      const { body: cancelled } = await call<Status>("DELETE", at("r1"));
      assert.equal(cancelled.state, "cancelled");
      assert.equal((await call<Problem>("DELETE", at("r1"))).body.code, "SWARM_BATCH_RUN_STATE");
      const { body: resumed } = await call<Status>("POST", at("r1", "/resume"));
      assert.deepEqual([resumed.state, resumed.leg], ["running", 2]);
      assert.equal(
        (await call<Problem>("DELETE", at("r1", "?purge=true"))).body.code,
        "SWARM_BATCH_RUN_STATE",
      );
      writeFileSync(join(home, "seen"), "");
      const run = await over("r1");
      assert.deepEqual([run.state, run.done_count], ["completed", 1_000]);
    });

    test("what cannot be run is refused by name, and nothing is left of it", async (t) => {
      const { call, home } = await opened(t);
      for (const [query, code] of [
        ["", "SWARM_OPTION_INVALID"],
        ["?processor=ecco", "SWARM_BATCH_PROCESSOR_UNKNOWN"],
        ["?processor=echo&colour=red", "SWARM_OPTION_UNKNOWN"],
        ["?processor=echo&concurrency=0", "SWARM_OPTION_INVALID"],
        ["?processor=echo&config=%7B", "SWARM_OPTION_INVALID"],
        ["?processor=echo&config=1", "SWARM_OPTION_INVALID"],
        ["?processor=echo&input=relative", "SWARM_OPTION_INVALID"],
        ["?processor=echo&input=/no/such/file", "SWARM_BATCH_INPUT_UNREADABLE"],
      ] as const) {
        const { body } = await call<Problem>("POST", at("r1", query), lines(2));
        assert.equal(body.code, code, query);
      }
      const zipped = { "content-encoding": "br" };
      const { body } = await call<Problem>("POST", at("r1", "?processor=echo"), lines(2), zipped);
      assert.equal(body.code, "SWARM_OPTION_INVALID");
      assert.equal((await call<Problem>("POST", at("..", "?processor=echo"), "")).status, 404);
      assert.equal(
        (await call<Problem>("POST", at("a%20b", "?processor=echo"), "")).body.code,
        "SWARM_OPTION_INVALID",
      );
      assert.deepEqual((await call<{ items: unknown[] }>("GET", "/api/v1/batch")).body.items, []);
      assert.ok(!readdirSync(home).includes("batch"));
    });

    test("what a rule forbids is refused with the reason", async (t) => {
      const rule =
        "{ id: no-echo, behaviour: deny, when: { event: batch.started, kind: echo }, reason: not here }";
      const { call, cwd } = await opened(t, `policy: { rules: [${rule}] }\n`);
      const query = new URLSearchParams({ processor: "echo", cwd });
      const { status, body } = await call<Problem>("POST", at("r1", `?${query}`), lines(2));
      assert.deepEqual([status, body.code], [403, "SWARM_BATCH_DENIED"]);
      assert.match(body.detail, /no-echo: not here/);
    });
  });
}
