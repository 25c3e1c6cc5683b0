import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { loadConfig } from "../../config/load.ts";
import { needsOf } from "../install/entry-needs.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { openRuntime } from "../../daemon/runtime/runtime.ts";
import { type DeniedCall, deniedCalls, type OtherCall, Sentinel } from "./sentinel.ts";
import { Workplace } from "./workplace.ts";

async function decide(t: TestContext, call: DeniedCall | OtherCall) {
  const place = new Workplace();
  t.after(() => place.remove());
  const { swarmHome: home, project: cwd, sentinel } = place;
  const log = { warn: () => undefined };
  const runtime = await openRuntime({ home, cwd, env: process.env, log });
  t.after(() => runtime.close());
  await approveProject(runtime, cwd);
  const command = sentinel.commandOf(call);
  const data = { tool_name: "Bash", tool_input: { command } };
  return {
    place,
    command,
    outcome: await runtime.events.emit({ event: "tool.before", data, origin: { cwd } }),
  };
}

test("the sentinel's guard denies each of its calls, with a reason nobody else gives", async (t) => {
  for (const call of deniedCalls) {
    const { place, outcome } = await decide(t, call);
    const { verdict, reason, hook } = outcome.decision;
    assert.deepEqual([verdict, reason?.trim(), hook], ["deny", place.sentinel.reasonOf(call), "verify-deny"]);
  }
});

test("every command leaves its file behind, whatever form was drawn", (t) => {
  for (let round = 0; round < 20; round++) {
    const place = new Workplace();
    t.after(() => place.remove());
    for (const call of ["shell_1", "shell_2", "shell_3", "allowed", "rewritten", "killed"] as const) {
      assert.equal(place.hasRun(call), false);
      const command = place.sentinel.commandOf(call);
      const { status } = spawnSync("/bin/sh", ["-c", command], { cwd: place.project });
      assert.deepEqual([status, place.hasRun(call)], [0, true], command);
    }
    assert.equal(place.hasRun("edit"), false);
    const edited = place.path(place.sentinel.word("edited file"));
    appendFileSync(edited, place.sentinel.fileOf("edit"));
    assert.equal(place.hasRun("edit"), true);
  }
});

test("no two verifications have a word in common, and each calls at least three programs", () => {
  const calls = ["shell_1", "shell_2", "shell_3"] as const;
  const sentinels = Array.from({ length: 200 }, () => new Sentinel());
  const words = sentinels.flatMap((sentinel) => deniedCalls.map((call) => sentinel.fileOf(call)));
  assert.equal(new Set(words).size, words.length);
  const programs = sentinels.map((sentinel) =>
    calls.map(
      (call) =>
        sentinel
          .commandOf(call)
          .replace(/^echo .*\|.*/, "tee")
          .split(" ")[0] ?? "",
    ),
  );
  assert.ok(programs.every((its) => new Set(its).size === 3));
  assert.ok(new Set(programs.flat()).size > 200, "among them one nobody has heard of");
});

test("the sentinel's hooks have nothing against the command that is to run", async (t) => {
  const { command, outcome } = await decide(t, "allowed");
  assert.deepEqual(
    [outcome.decision.verdict, outcome.data],
    ["none", { tool_name: "Bash", tool_input: { command } }],
  );
});

test("the sentinel's rewrite puts another command in the place of the original", async (t) => {
  const { place, outcome } = await decide(t, "original");
  const command = place.sentinel.commandOf("rewritten");
  assert.deepEqual(
    [outcome.decision.verdict, outcome.data],
    ["none", { tool_name: "Bash", tool_input: { command } }],
  );
});

test("the sentinel's hooks ask for no other entries than the ones that are verified", (t) => {
  const place = new Workplace();
  t.after(() => place.remove());
  assert.deepEqual(needsOf(loadConfig({ home: place.swarmHome, cwd: place.project, env: {} })), {});
});

test("a workplace that is gone already can be removed", () => {
  const place = new Workplace();
  rmSync(place.folder, { recursive: true });
  place.remove();
});
