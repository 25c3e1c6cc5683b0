import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { loadConfig } from "../config/load.ts";
import { needsOf } from "../install/entry-needs.ts";
import { approveProject } from "../runtime/approve.cases.ts";
import { Runtime } from "../runtime/runtime.ts";
import { commandOf, type Fate, markerOf } from "./sentinel.ts";
import { Workplace } from "./workplace.ts";

async function decide(t: TestContext, fate: Fate) {
  const place = new Workplace();
  t.after(() => place.remove());
  const { swarmHome: home, project: cwd, sentinel } = place;
  const log = { warn: () => undefined };
  const runtime = await Runtime.open({ home, cwd, env: process.env, log });
  t.after(() => runtime.close());
  await approveProject(runtime, cwd);
  const command = commandOf(markerOf(sentinel, fate, "headless"));
  const data = { tool_name: "Bash", tool_input: { command } };
  return { place, command, outcome: await runtime.emit("tool.before", data, { cwd }) };
}

test("the sentinel's guard denies its command, with a reason nobody else gives", async (t) => {
  const { place, outcome } = await decide(t, "denied");
  const { verdict, reason, hook } = outcome.decision;
  assert.deepEqual([verdict, reason?.trim(), hook], ["deny", place.sentinel.reason, "verify-deny"]);
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
  const command = commandOf(markerOf(place.sentinel, "rewritten", "headless"));
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
