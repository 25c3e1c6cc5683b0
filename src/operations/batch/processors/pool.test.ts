import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Bench, eventually, isAlive, namespaceOnly } from "../../../handlers/process/harness.cases.ts";
import { chunkOf, processorCall, rowsOf } from "../port/processor.cases.ts";
import type { ProcessorCall } from "../port/processor.ts";
import { custom } from "./custom/custom.ts";
import { pythonOnly } from "./harness.cases.ts";
import { openPool } from "./pool.ts";

const record = (id: string, fields = {}) => JSON.stringify({ record_id: id, ...fields });

/** A pool of shell scripts that speak for themselves. */
function pool(here: Bench, line: string, changes: Partial<ProcessorCall> = {}) {
  const { call } = processorCall(here.folder, changes);
  const program = {
    argv: ["/bin/sh", "-c", line] as const,
    cwd: here.folder,
    env: { PATH: process.env.PATH ?? "" },
  };
  return openPool({ name: "shell", program, sandbox: "off", open: {}, startTimeoutMs: 600_000 }, call);
}

async function opened(
  t: TestContext,
  config: Record<string, string>,
  cwd: string,
  changes: Partial<ProcessorCall> = {},
) {
  const { call, printed } = processorCall(cwd, changes);
  const processor = await custom.open(config, call);
  t.after(() => processor.close());
  return { processor, printed };
}

test("workers that end again and again before they are ready fail the run, with what they said last", async (t) => {
  const here = new Bench(t);
  const failing = pool(here, "echo start >> starts; echo no memory >&2; exit 3");
  await assert.rejects(failing, {
    code: "SWARM_BATCH_START_FAILED",
    message: 'no worker of processor "shell" can be used: the worker ended with exit code 3: no memory',
  });
  assert.equal(readFileSync(join(here.folder, "starts"), "utf8"), "start\n".repeat(5));
});

test("one that cannot be started leaves the work to those that are there", async (t) => {
  const here = new Bench(t);
  here.script(
    "once.mjs",
    `import { writeFileSync } from "node:fs";
try {
  writeFileSync("taken", "", { flag: "wx" });
} catch {
  process.kill(process.pid, "SIGKILL");
}
export const once = () => 1;`,
  );
  const { processor } = await opened(t, { function: "./once.mjs:once" }, here.folder, { concurrency: 2 });
  const { doneCount } = await processor.run(chunkOf(["{}", "{}"]));
  assert.equal(doneCount, 2);
});

test("one that says itself that it cannot do it is believed", async (t) => {
  const here = new Bench(t);
  const failing = pool(here, `echo start >> starts; echo '{"problem":"no such model"}' >&4; sleep 600`);
  await assert.rejects(failing, { message: 'no worker of processor "shell" can be used: no such model' });
  assert.equal(readFileSync(join(here.folder, "starts"), "utf8"), "start\n");
});

test("a program that is not there is told by its name", async (t) => {
  const here = new Bench(t);
  const failing = opened(t, { function: "mod:f", runtime: "python", python: "./no/python" }, here.folder);
  await assert.rejects(failing, { message: /the program ".*no\/python" does not exist/ });
});

for (const [what, said] of [
  ["a head that is no JSON", "hello\\n"],
  ["a length that is none", '{"bytes":-1}\\n'],
  ["a length beyond all bounds", '{"bytes":99999999999}\\n'],
  [
    "counts that do not fit",
    '{"lines":1,"done":1,"failed":0,"results":0,"errors":0,"ids":0,"latencies":0,"is_last":true}\\n',
  ],
  [
    "numbers that are none",
    '{"lines":1,"done":"x","failed":0,"results":0,"errors":0,"ids":0,"latencies":0}\\n',
  ],
] as const) {
  test(`what is no answer loses the worker, not the run: ${what}`, async (t) => {
    const here = new Bench(t);
    const processor = await pool(
      here,
      `echo '{"ready":true}' >&4; read a <&3; read b <&3; printf '${said}' >&4; sleep 600`,
    );
    t.after(() => processor.close());
    await assert.rejects(processor.run(chunkOf(["{}"])), {
      code: "SWARM_BATCH_WORKER_LOST",
      message: /^the worker said what is no answer/,
    });
  });
}

test("a run none of whose workers ever does a record fails, instead of failing every record", async (t) => {
  const here = new Bench(t);
  const processor = await pool(
    here,
    `echo '{"ready":true}' >&4; read a <&3; read b <&3; echo usage >&2; exit 64`,
  );
  t.after(() => processor.close());
  const next = async (): Promise<void> => {
    for (;;) {
      await processor.run(chunkOf(["{}"])).catch((error: Error & { code?: string }) => {
        if (error.code !== "SWARM_BATCH_WORKER_LOST") throw error;
      });
    }
  };
  await assert.rejects(next(), {
    code: "SWARM_BATCH_START_FAILED",
    message: /40 ended before a single record was done; the last ended with exit code 64: usage$/,
  });
});

test("a worker that is killed while it waits is replaced", async (t) => {
  const here = new Bench(t);
  here.script("pid.mjs", "export const pid = () => process.pid;");
  const { processor } = await opened(t, { function: "./pid.mjs:pid" }, here.folder);
  const pid = async () => Number(rowsOf(await processor.run(chunkOf([record("a")]))).results[0]?.output);
  const first = await pid();
  process.kill(first, "SIGKILL");
  await eventually(() => (isAlive(first) ? null : true), "it stays");
  assert.notEqual(await pid().catch(pid), first);
});

const sources = {
  node: {
    file: "busy.mjs",
    text: 'import { writeFileSync } from "node:fs"; export function busy() { writeFileSync("pid", process.pid + "\\n"); for (;;); }',
    skip: false,
  },
  python: {
    file: "busy.py",
    text: 'import os\ndef busy(record):\n  open("pid", "w").write("%d\\n" % os.getpid())\n  while True: pass\n',
    skip: pythonOnly,
  },
} as const;

for (const [runtime, { file, text, skip }] of Object.entries(sources)) {
  test(`when the runner is killed, its workers end though they are busy: ${runtime}`, { skip }, async (t) => {
    const here = new Bench(t);
    here.script(file, text);
    const host = here.script(
      "host.mts",
      `import { custom } from ${JSON.stringify(join(import.meta.dirname, "custom", "custom.ts"))};
       const call = { run_id: "r", cwd: ${JSON.stringify(here.folder)}, concurrency: 1, recordTimeoutMs: 600_000, idField: "id",
         env: process.env, sandbox: "off", signal: new AbortController().signal, print() {} };
       const processor = await custom.open({ function: "./${file}:busy" }, call);
       await processor.run({ firstLine: 1, lineCount: 1, lines: Buffer.from("{}\\n") });`,
    );
    const child = spawn(process.execPath, [host], { stdio: "inherit" });
    await here.pid("pid");
    child.kill("SIGKILL");
    await here.gone("pid");
  });
}

test("workers are contained like command hooks", { skip: namespaceOnly }, async (t) => {
  const here = new Bench(t);
  here.script(
    "look.mjs",
    `import { execFileSync } from "node:child_process";
     export const look = () => ({
       pid: process.pid,
       names: Object.keys(process.env),
       files: Number(execFileSync("/bin/sh", ["-c", "ulimit -n"])),
     });`,
  );
  const env = { ...process.env, NODE_OPTIONS: "--trace-warnings", API_KEY: "k", PYTHONPATH: "/x" };
  const { processor } = await opened(t, { function: "./look.mjs:look" }, here.folder, {
    sandbox: "strict",
    env,
  });
  const { results } = rowsOf(await processor.run(chunkOf([record("a")])));
  const [{ output } = {}] = results;
  const { pid, names, files } = output as { pid: number; names: string[]; files: number };
  assert.ok(pid < 20, `${pid} is one of ours`);
  assert.equal(files, 1024);
  assert.deepEqual(
    names.filter((name) => ["NODE_OPTIONS", "API_KEY", "PYTHONPATH"].includes(name)),
    [],
  );
  assert.ok(names.includes("SWARM_BATCH_RUN_ID"));
});

test("our own program is in the built package, and so is Python's", () => {
  const root = join(import.meta.dirname, "..", "..", "..", "..");
  for (const file of [
    "dist/operations/batch/processors/node-worker.js",
    "python/swarm_worker.py",
    "python/custom_worker.py",
  ])
    assert.ok(existsSync(join(root, file)), file);
});
