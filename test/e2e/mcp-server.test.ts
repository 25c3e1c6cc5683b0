import assert from "node:assert/strict";
import { test } from "node:test";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type ClaimedTask, ToolUser } from "../../src/swarm/mcp/harness.cases.ts";
import { bin, gone, onTerminal, endOf, noTerminal, Place } from "./harness.ts";

interface Registered {
  readonly token: string;
}

/** `swarm mcp` as an agent starts it. */
async function started(t: { after(work: () => Promise<void>): void }, place: Place, token?: string) {
  const env = Object.fromEntries(
    Object.entries({ ...place.env, SWARM_AGENT_TOKEN: token }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp"],
    env,
    cwd: place.project,
    stderr: "pipe",
  });
  const user = await ToolUser.connect(transport);
  t.after(() => user.client.close());
  return Object.assign(user, { pid: transport.pid ?? assert.fail() });
}

const register = async (place: Place, id: string) =>
  (await place.json<Registered>("agents", "register", "--id", id)).token;

test("an agent works by the tools of swarm mcp, while the daemon goes away and comes back", async (t) => {
  const place = new Place(t);
  const up = await place.up();
  await place.json("task", "add", "Look at the heap", "--id", "a");
  const [one, two] = [await register(place, "one"), await register(place, "two")];
  const first = await started(t, place, one);
  const second = await started(t, place, two);
  const { task, lease } = await first.use<ClaimedTask>("claim_task");
  assert.deepEqual([task.goal, lease.epoch], ["Look at the heap", 1]);
  assert.match(await second.refused("claim_task"), /^SWARM_TASK_NONE_READY/);
  assert.match(
    await second.refused("report_task", { task_id: "a", epoch: 1, summary: "mine" }),
    /^SWARM_LEASE_STALE/,
    "an epoch that was guessed is nobody's",
  );

  const waiting = second.ask("wait_for_task", { wait_s: 200 });
  await second.refused("get_task"); // it waits by now
  up.child.kill("SIGKILL");
  await up.ended;
  const lost = await waiting;
  assert.match(JSON.stringify(lost.content), /SWARM_DAEMON_LOST: .*call once more/);
  await place.up();
  assert.partialDeepStrictEqual(await first.use("get_task"), { task_id: "a", epoch: 1 });
  const own = { task_id: "a", epoch: 1 };
  assert.equal((await first.use("report_task", { ...own, summary: "looked" })).state, "reported");

  await first.client.close();
  await gone(first.pid);
});

test("whoever has no agent's token is told how to get one, and is nobody else", async (t) => {
  const place = new Place(t);
  await place.up();
  await place.json("task", "add", "Look at the heap", "--id", "a");
  const person = await started(t, place);
  assert.match(
    await person.refused("claim_task"),
    /^SWARM_AGENT_TOKEN_MISSING: the environment has no agent's token.*\nWhat to do: Register.*swarm agents register/,
  );
  for (const wrong of ["agt_wrong", place.token()]) {
    const stranger = await started(t, place, wrong);
    assert.match(await stranger.refused("claim_task"), /^SWARM_TOKEN_REFUSED: .*\nWhat to do: /);
  }
  assert.equal((await place.json<{ state: string }>("task", "show", "a")).state, "open");
});

test("a message that is too long for a tool is refused, and the server goes on", async (t) => {
  const place = new Place(t);
  await place.up();
  const user = await started(t, place, await register(place, "one"));
  const long = { task_id: "a", epoch: 1, progress: "\u0000".repeat(300_000) };
  assert.match(await user.refused("update_progress", long), /^SWARM_OPTION_INVALID/);
  assert.match(await user.refused("get_task"), /^SWARM_TASK_NONE_HELD/);
});

test("on a terminal swarm mcp says who starts it", { skip: noTerminal }, async (t) => {
  const { status, stdout } = await endOf(onTerminal(new Place(t), ["mcp"]));
  assert.equal(status, 64);
  assert.match(stdout, /started by coding agents.*\[SWARM_USAGE\]/);
});
