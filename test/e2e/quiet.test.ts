import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { leaveEntry } from "../../src/record/audit/late-entries.ts";
import type { RunEntry } from "../../src/record/port/run-event.ts";
import { bin, type Ended, endOf, Place, until } from "./harness.ts";

const config =
  "hooks:\n  - { event: tool.before, type: command, name: guard, match: Write, on_failure: deny, command: exit 2 }\n";

/** A home with a guard for one tool, and nothing in the project's own file. */
function quietPlace(t: TestContext): Place {
  const place = new Place(t);
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "config.yaml"), config);
  return place;
}

let calls = 0;

/** A hook call as an agent makes it, of a process of its own. */
async function hook(place: Place, fields: object = {}, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return endOf(startHook(place, fields, env));
}

function startHook(place: Place, fields: object = {}, env: NodeJS.ProcessEnv = {}) {
  const child = place.start(process.execPath, [bin, "hook", "claude-code", "--guard"], {
    CLAUDECODE: "1",
    ...env,
  });
  const named = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const ids = { session_id: "s1", tool_use_id: `call_${++calls}`, cwd: place.project };
  // Whoever is killed reads no more of it.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(JSON.stringify({ ...ids, ...named, ...fields }));
  return child;
}

function late(place: Place): string[] {
  const folder = join(place.home, "late");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Makes calls until one is answered without the store. */
async function learn(place: Place): Promise<void> {
  for (const before = late(place).length; late(place).length <= before; )
    assert.deepEqual(await hook(place), { status: 0, stdout: "", stderr: "" });
}

interface Row {
  readonly id: string;
  readonly event: string;
  readonly verdict: string;
}

/** The record as it is now, which takes in what waits. */
async function record(place: Place): Promise<Row[]> {
  const { status, stdout, stderr } = await place.swarm("logs", "--limit", "1000", "--json");
  assert.deepEqual([status, stderr], [0, ""]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Row);
}

test("without a daemon a call that concerns no hook leaves its row, and one that does is denied as ever", async (t) => {
  const place = quietPlace(t);
  await learn(place);
  const left = late(place);
  const denied = await hook(place, { tool_name: "Write" });
  assert.equal(denied.status, 0);
  assert.match(denied.stdout, /"permissionDecision":"deny"/);
  assert.deepEqual(late(place), [], "it has opened the record");
  const ids = (await record(place)).map(({ id }) => id);
  for (const id of left) assert.equal(ids.filter((each) => each === id).length, 1);
  assert.equal((await place.swarm("audit", "verify")).status, 0);
});

test("calls of many processes at once have one row each, also while others take them in and are killed", async (t) => {
  const place = quietPlace(t);
  const before = calls;
  await learn(place);
  const killing = (async () => {
    for (let kills = 0; kills < 4; kills++) {
      const reader = place.start(process.execPath, [bin, "logs", "--json"]);
      // It has the store open by then, or takes entries in.
      const ended = once(reader, "exit");
      await Promise.race([until(() => existsSync(join(place.home, "swarm.db-wal"))), ended]);
      reader.kill("SIGKILL");
      await ended;
    }
  })();
  const burst = Array.from({ length: 12 }, () => hook(place));
  for (const ended of await Promise.all(burst)) assert.deepEqual([ended.status, ended.stdout], [0, ""]);
  await killing;
  const rows = (await record(place)).filter(({ event }) => event === "tool.before");
  assert.equal(new Set(rows.map(({ id }) => id)).size, calls - before);
  assert.equal(rows.length, calls - before);
  assert.deepEqual(late(place), []);
});

test("a guard whose input cannot be read denies, and says why", (t) => {
  const place = quietPlace(t);
  const stdin = openSync(place.folder, "r");
  t.after(() => closeSync(stdin));
  const args = [bin, "hook", "claude-code", "--guard"];
  const ended = spawnSync(process.execPath, args, { env: place.env, stdio: [stdin, "pipe", "pipe"] });
  assert.equal(ended.status, 2);
  assert.match(String(ended.stderr), /could not be judged: its input cannot be read: EISDIR/);
});

test("what every call starts is small, and loads neither a database nor a parser of YAML", () => {
  const parts = ["fs", "module", "net", "os", "path", "path/posix", "url", "util"];
  const loads = {
    "hook-program": ["./evaluate-hook.js", ...parts.map((name) => `node:${name}`)],
    "load-bundle": ["node:fs", "node:path", "node:vm"],
  };
  for (const [name, expected] of Object.entries(loads)) {
    const program = readFileSync(join(bin, `../../dist/bundle/hook/${name}.js`), "utf8");
    const loaded = new Set([...program.matchAll(/require\("([^"]+)"\)/g)].map(([, id]) => id));
    assert.deepEqual([...loaded].sort(), expected);
    assert.ok(program.length < 360 * 1024, `${name}: ${program.length}`);
  }
});

test("a call that rules judge does without Node's hashes, and with them where there is no WebAssembly", async (t) => {
  const place = quietPlace(t);
  writeFileSync(join(place.home, "config.yaml"), "policy: starter\n");
  await learn(place);
  const [preloaded, asked] = [join(place.folder, "preloaded.cjs"), join(place.folder, "asked")];
  const tells = `require("node:fs").appendFileSync(${JSON.stringify(asked)}, id + "\\n")`;
  const wrapped = `const get = process.getBuiltinModule; process.getBuiltinModule = (id) => (${tells}, get(id));`;
  writeFileSync(preloaded, wrapped);
  const loading = `--require=${preloaded}`;
  for (const [options, modules] of [
    [loading, ""],
    [`${loading} --jitless`, "node:crypto\n"],
  ] as const) {
    writeFileSync(asked, "");
    const before = late(place).length;
    assert.deepEqual(await hook(place, {}, { NODE_OPTIONS: options }), { status: 0, stdout: "", stderr: "" });
    assert.equal(late(place).length, before + 1, "it was answered the short way");
    assert.equal([...new Set(readFileSync(asked, "utf8").split(/(?<=\n)/))].join(""), modules);
  }
});

test("whoever is told of a denial by rules has its row, whenever processes are killed", async (t) => {
  const place = quietPlace(t);
  const rule = "{ id: no-ls, when: { command: [ls] }, behaviour: deny }";
  writeFileSync(join(place.home, "config.yaml"), `policy: { rules: [${rule}] }\n`);
  const isDenied = ({ stdout }: Ended) => /"permissionDecision":"deny"/.test(stdout);
  for (const before = late(place).length; late(place).length <= before; )
    assert.ok(isDenied(await hook(place)));
  const before = (await record(place)).length;
  let told = 0;
  for (let kills = 0; kills < 12; kills++) {
    const child = startHook(place);
    const ended = endOf(child);
    // As soon as its row is there, before or after it has told; or at some other moment.
    const left = late(place).length;
    const isLeft = until(() => late(place).length > left || child.exitCode !== null);
    await Promise.race([kills % 2 === 0 ? isLeft : setTimeout(20 + kills * 8), ended]);
    child.kill("SIGKILL");
    if (isDenied(await ended)) told++;
  }
  // And one that is left alone.
  assert.ok(isDenied(await hook(place)));
  const rows = await record(place);
  assert.ok(rows.length - before >= told + 1, `${rows.length - before} rows of ${told + 1} that were told`);
  assert.ok(rows.every(({ verdict }) => verdict === "deny"));
  assert.equal((await place.swarm("audit", "verify")).status, 0);
});

suite("compiled code", () => {
  const compiled = (place: Place) => join(place.home, "compiled", "hook-program");
  async function ruledPlace(t: TestContext): Promise<Place> {
    const place = quietPlace(t);
    writeFileSync(join(place.home, "config.yaml"), "policy: starter\n");
    await learn(place);
    return place;
  }

  test("is kept with what a call has needed, once for each kind of call", async (t) => {
    const place = await ruledPlace(t);
    await hook(place);
    const before = statSync(compiled(place)).ino;
    await hook(place);
    assert.equal(statSync(compiled(place)).ino, before);
    await hook(place, { tool_name: "Read", tool_input: { file_path: "/a" } });
    assert.notEqual(statSync(compiled(place)).ino, before);
    assert.deepEqual(
      readdirSync(join(place.home, "compiled")).filter((name) => /\.\d+$/.test(name)),
      [],
    );
  });

  test("is kept with the judging of a kind of call that was quiet before", async (t) => {
    const place = quietPlace(t);
    await learn(place);
    await hook(place);
    const quiet = statSync(compiled(place));
    writeFileSync(join(place.home, "config.yaml"), "policy: starter\n");
    await learn(place);
    const ruled = statSync(compiled(place));
    assert.ok(ruled.size > quiet.size * 1.3, `${quiet.size} → ${ruled.size}`);
    await hook(place);
    assert.equal(statSync(compiled(place)).ino, ruled.ino);
  });

  test("that is torn, or of another program, is not used, and made anew", async (t) => {
    const place = await ruledPlace(t);
    await hook(place);
    const whole = readFileSync(compiled(place));
    const torn = [Buffer.alloc(0), whole.subarray(0, 2000), whole.subarray(0, whole.length - 999)];
    const others = Buffer.from(whole.toString("latin1").replace(/"stamp":"\d/, '"stamp":"x'), "latin1");
    for (const bytes of [...torn, others, Buffer.from("no code")]) {
      writeFileSync(compiled(place), bytes);
      assert.deepEqual(await hook(place), { status: 0, stdout: "", stderr: "" });
      assert.ok(readFileSync(compiled(place)).length > whole.length / 2);
    }
  });

  test("is neither kept nor used where others may write to the home", async (t) => {
    const place = await ruledPlace(t);
    writeFileSync(compiled(place), "somebody else's");
    chmodSync(place.home, 0o777);
    assert.equal((await hook(place)).status, 0);
    assert.equal(readFileSync(compiled(place), "utf8"), "somebody else's");
  });
});

test("a daemon takes in what comes while it runs, and one that was killed leaves the way open", async (t) => {
  const place = quietPlace(t);
  await learn(place);
  const [entry = ""] = late(place);
  const text = readFileSync(join(place.home, "late", entry), "utf8");
  const up = await place.up();
  await until(() => late(place).length === 0);
  // As of a call that had found no daemon, and was slow.
  const id = `${entry.slice(0, -4)}late`;
  leaveEntry(place.home, JSON.parse(text.slice(text.indexOf("{")).replaceAll(entry, id)) as RunEntry);
  await until(() => late(place).length === 0);
  assert.equal((await record(place)).filter((row) => row.id === id).length, 1);
  up.child.kill("SIGKILL");
  await up.ended;
  assert.ok(statSync(join(place.home, "hook.sock")).isSocket());
  await learn(place);
});
