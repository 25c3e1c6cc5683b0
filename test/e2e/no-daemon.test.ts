import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { bin, type Ended, endOf, Place, until } from "./harness.ts";

const guardOfWrite =
  "hooks:\n  - { event: tool.before, type: command, name: guard, match: Write, on_failure: deny, command: exit 2 }\n";

/** A home without a daemon. */
function placeWith(t: TestContext, config = guardOfWrite): Place {
  const place = new Place(t);
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "config.yaml"), config);
  return place;
}

let calls = 0;

/** A hook call as an agent makes it, by a process of its own; each is another one, unless it has the id of one before. */
function startHook(place: Place, fields: object = {}) {
  const child = place.start(process.execPath, [bin, "hook", "claude-code", "--guard"], { CLAUDECODE: "1" });
  const named = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const ids = { session_id: "s1", tool_use_id: `call_${++calls}`, cwd: place.project };
  // A process that is killed reads no more of it.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(JSON.stringify({ ...ids, ...named, ...fields }));
  return child;
}

const hook = (place: Place, fields: object = {}): Promise<Ended> => endOf(startHook(place, fields));
const isDenied = ({ stdout }: Ended): boolean => /"permissionDecision":"deny"/.test(stdout);

interface Row {
  readonly id: string;
  readonly event: string;
  readonly verdict: string;
}

async function record(place: Place): Promise<Row[]> {
  const { status, stdout, stderr } = await place.swarm("logs", "--limit", "1000", "--json");
  assert.deepEqual([status, stderr], [0, ""]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Row);
}

test("calls of many processes at once have one row each, also while readers of the record are killed", async (t) => {
  const place = placeWith(t);
  await hook(place);
  const killing = (async () => {
    for (let kills = 0; kills < 4; kills++) {
      const reader = place.start(process.execPath, [bin, "logs", "--json"]);
      const ended = once(reader, "exit");
      await Promise.race([until(() => existsSync(join(place.home, "swarm.db-wal"))), ended]);
      reader.kill("SIGKILL");
      await ended;
    }
  })();
  const burst = await Promise.all(Array.from({ length: 12 }, () => hook(place)));
  for (const ended of burst) assert.deepEqual([ended.status, ended.stdout], [0, ""]);
  await killing;
  const rows = (await record(place)).filter(({ event }) => event === "tool.before");
  assert.equal(rows.length, 13);
  assert.equal(new Set(rows.map(({ id }) => id)).size, 13);
});

test("the same denied call by two settings files has one row, and both are denied", async (t) => {
  const place = placeWith(t);
  const same = { tool_name: "Write", tool_use_id: "twice" };
  const answers = await Promise.all([hook(place, same), hook(place, same)]);
  assert.deepEqual(answers.map(isDenied), [true, true]);
  assert.equal((await record(place)).filter(({ verdict }) => verdict === "deny").length, 1);
});

test("a guard whose input cannot be read denies, and says why", (t) => {
  const place = placeWith(t);
  const stdin = openSync(place.folder, "r");
  t.after(() => closeSync(stdin));
  const args = [bin, "hook", "claude-code", "--guard"];
  const ended = spawnSync(process.execPath, args, { env: place.env, stdio: [stdin, "pipe", "pipe"] });
  assert.equal(ended.status, 2);
  assert.match(String(ended.stderr), /could not be judged: its input cannot be read: EISDIR/);
});

test("who is told of a denial by rules has its row, whenever processes are killed", async (t) => {
  const rule = "{ id: no-ls, when: { command: [ls] }, behaviour: deny }";
  const place = placeWith(t, `policy: { rules: [${rule}] }\n`);
  let told = 0;
  for (let kills = 0; kills < 12; kills++) {
    const child = startHook(place);
    const ended = endOf(child);
    // Some are killed as soon as they have answered, before they end by themselves; some at another moment.
    const answered = once(child.stdout ?? child, "data");
    await Promise.race([kills % 2 === 0 ? answered : setTimeout(60 + kills * 20), ended]);
    child.kill("SIGKILL");
    if (isDenied(await ended)) told++;
  }
  assert.ok(told >= 3, `${told} were told`);
  const rows = (await record(place)).filter(({ verdict }) => verdict === "deny");
  assert.ok(rows.length >= told, `${rows.length} rows of ${told} that were told`);
  assert.equal((await place.swarm("audit", "verify")).status, 0);
});

test("what asks the daemon loads neither a database nor a parser of YAML", () => {
  const program = readFileSync(join(bin, "../../dist/bundle/hook/hook-program.js"), "utf8");
  const loaded = new Set([...program.matchAll(/require\("([^"]+)"\)/g)].map(([, id]) => id));
  assert.ok(loaded.has("./evaluate-hook.js"));
  for (const heavy of ["node:sqlite", "node:crypto", "node:http", "yaml", "undici"])
    assert.equal(loaded.has(heavy), false, heavy);
});
