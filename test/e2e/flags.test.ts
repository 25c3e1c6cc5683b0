import assert from "node:assert/strict";
import { test } from "node:test";
import { endOf, Place, trustedPlace } from "./harness.ts";

const denies = `hooks:
  - { event: tool.before, type: command, name: guard, mode: guard, on_failure: deny, command: 'exit 2' }
`;
const payload = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "s",
  tool_name: "Bash",
  tool_input: { command: "ls" },
});

/** An agent's hook call, in a process of its own. */
function call(place: Place, id: string, env: NodeJS.ProcessEnv = {}) {
  const child = place.start(
    process.execPath,
    [`${import.meta.dirname}/../../bin/swarm`, "hook", "claude-code", "--guard"],
    env,
  );
  child.stdin?.end(JSON.stringify({ ...JSON.parse(payload), cwd: place.project, tool_use_id: id }));
  return endOf(child);
}

/** Claude Code's word for it. */
const isDenied = ({ stdout }: { stdout: string }) => /"permissionDecision":"deny"/.test(stdout);

for (const isUp of [true, false]) {
  test(`swarm flags turns hooks off and on for the next call, ${isUp ? "with" : "without"} a daemon`, async (t) => {
    const place = await trustedPlace(t, denies);
    if (isUp) await place.up();
    assert.ok(isDenied(await call(place, "1")));
    const { stdout } = await place.swarm("flags", "set", "hooks_enabled", "off");
    assert.match(stdout, /^hooks_enabled is off, by human:/);
    assert.ok(!isDenied(await call(place, "2")));
    const status = await place.json<{ flags: Record<string, boolean> }>("status");
    assert.equal(status.flags.hooks_enabled, false);
    const listed = await place.json<{ name: string; value: boolean; from: string }[]>("flags", "list");
    const { value, from } = listed.find(({ name }) => name === "hooks_enabled") ?? assert.fail();
    assert.deepEqual([value, from], [false, "override"]);
    assert.match((await place.swarm("doctor")).stdout, /inert +configuration: .*hooks_enabled is off/);
    const unset = await place.swarm("flags", "unset", "hooks_enabled");
    assert.equal(unset.stdout, "hooks_enabled is on, by default\n");
    assert.ok(isDenied(await call(place, "3")));
  });
}

test("an agent's environment turns no switch: a project's files can set it", async (t) => {
  const place = await trustedPlace(t, denies);
  assert.ok(isDenied(await call(place, "1", { SWARM_FLAG_HOOKS_ENABLED: "off" })));
});

test("a flag that is misspelt is told, with the one that was meant", async (t) => {
  const place = new Place(t);
  const wrong = await place.swarm("flags", "set", "hook_enabled", "off");
  assert.deepEqual(wrong, {
    status: 65,
    stdout: "",
    stderr: 'swarm: no flag "hook_enabled", did you mean "hooks_enabled"? [SWARM_FLAG_UNKNOWN]\n',
  });
  assert.equal((await place.swarm("flags", "set", "metrics", "maybe")).status, 64);
  assert.equal((await place.swarm("flags", "set", "metrics")).status, 64);
  assert.equal((await place.swarm("flags", "unset", "metrics")).status, 65);
  const daemon = await endOf(
    place.start(process.execPath, [`${import.meta.dirname}/../../bin/swarm`, "up", "--port", "0"], {
      SWARM_FLAG_METRIC: "on",
    }),
  );
  assert.match(daemon.stderr, /no flag "metric", did you mean "metrics"\? \[SWARM_FLAG_UNKNOWN\]/);
});
