import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Place } from "./harness.ts";

const script = join(import.meta.dirname, "fixtures/validate_task.py");

/** As seed 003 writes it, with the script beside the file and Debian's name of Python. */
const validated = `hooks:
  task.created:
    - type: blocking_script
      command: "python3 validate_task.py"
      timeout_s: 5
  task.completed:
    - { type: script, command: "cat >> completed; echo >> completed" }
`;

interface Task {
  readonly task_id: string;
  readonly state: string;
}
interface Claim {
  readonly task: Task;
  readonly lease: { readonly epoch: number };
}

test("a task that a blocking script refuses leaves nothing behind, and the caller sees its stderr", async (t) => {
  const place = new Place(t);
  place.write("swarm.yaml", validated);
  copyFileSync(script, join(place.project, "validate_task.py"));
  await place.trust();
  for (const isUp of [false, true]) {
    if (isUp) await place.up();
    const noScope = await place.swarm("task", "add", "Implement feature X");
    assert.equal(noScope.status, 65);
    assert.match(noScope.stderr, /ERROR: Tasks must have a scope defined.*\[SWARM_TASK_REFUSED\]/);
    const short = await place.swarm("task", "add", "Short", "--scope", "src/");
    assert.match(short.stderr, /ERROR: Task goal too short/);
    place.write(
      "tasks.jsonl",
      '{"goal":"Implement feature X","scope":["src/"]}\n{"goal":"Short","scope":["src/"]}\n',
    );
    const file = await place.swarm("task", "add", "--file", "tasks.jsonl");
    assert.match(file.stderr, /ERROR: Task goal too short/);
    const { items } = await place.json<{ items: Task[] }>("task", "list");
    assert.deepEqual(items, []);
  }
  const added = await place.json<Task>(
    "task",
    "add",
    "Implement feature X",
    "--scope",
    "src/",
    "--no-change",
  );
  const claimed = await place.json<Claim>("task", "claim");
  assert.deepEqual([claimed.task.task_id, claimed.lease.epoch], [added.task_id, 1]);
  const report = ["task", "report", added.task_id, "--epoch", "1", "--summary", "looked", "--evidence"];
  const landed = await place.json<Task>(...report, '[{"what":"logs"}]');
  assert.equal(landed.state, "landed");
  const told = JSON.parse(await place.written("completed")) as { event: string; data: object };
  assert.equal(told.event, "task.completed");
  assert.partialDeepStrictEqual(told.data, { task_id: added.task_id, summary: "looked", files_changed: [] });
});

test("tasks of a file are worked through from the command line, with a daemon and without one", async (t) => {
  const place = new Place(t);
  place.write(
    "tasks.yaml",
    "tasks:\n  - { task_id: api, goal: Add the endpoint, role: backend, priority: 1 }\n  - { task_id: docs, goal: Describe it, depends_on: [api] }\n",
  );
  await place.json("task", "add", "--file", "tasks.yaml");
  const ready = async () =>
    (await place.json<{ items: Task[] }>("task", "ready")).items.map((one) => one.task_id);
  assert.deepEqual(await ready(), ["api"]);
  await place.json("task", "claim", "--role", "backend");
  const second = await place.swarm("task", "claim");
  assert.match(second.stderr, /no task is ready.*\[SWARM_TASK_NONE_READY\]/);
  const up = await place.up();
  const stale = await place.swarm("task", "renew", "api", "--epoch", "7");
  assert.deepEqual([stale.status, /SWARM_LEASE_STALE/.test(stale.stderr)], [65, true]);
  await place.json("task", "renew", "api", "--epoch", "1", "--progress", "half");
  await place.json("task", "fail", "api", "--epoch", "1", "--error", "no");
  await place.json("task", "retry", "api");
  assert.deepEqual(await ready(), ["api"]);
  await place.json("task", "accept", "api", "--reason", "merged by hand");
  assert.deepEqual(await ready(), ["docs"]);
  const shown = await place.swarm("task", "tree", "docs");
  assert.match(shown.stdout, /docs +open +Describe it/);
  const rows = await place.call(up.port, "GET", "/api/v1/events?event=task.changed&limit=100");
  const reasons = (rows.body.items as { reason: string }[]).map(({ reason }) => reason).reverse();
  assert.deepEqual(reasons, [
    "add 2 tasks: open",
    "claim api: open → claimed (epoch 1)",
    "progress api: claimed → working (epoch 1)",
    "fail api: working → failed (epoch 1)",
    "retry api: failed → open (epoch 1)",
    "accept api: open → landed (epoch 1)",
  ]);
});

test("a task whose process is gone goes back, also when the daemon starts", async (t) => {
  const place = new Place(t);
  await place.json("task", "add", "something", "--role", "a");
  const child = place.start("sleep", ["600"]);
  const { task } = await place.json<Claim>("task", "claim", "--pid", String(child.pid));
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  await place.up();
  const found = await place.json<{ state: string; ending: string; resumes: number }>(
    "task",
    "show",
    task.task_id,
  );
  assert.partialDeepStrictEqual(found, { state: "open", ending: "crashed", resumes: 1 });
});
