import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { bin, endOf, noTerminal, onTerminal, Place, until } from "./harness.ts";

const config = `hooks:
  - { event: tool.before, type: blocking_script, name: no-rm, args: [./hooks/no-rm.sh] }
  - { event: tool.before, type: command, name: adds, command: echo added }
`;
const guard = "#!/bin/sh\n! grep -q 'rm -rf'\n";

function place(t: TestContext): Place {
  const made = new Place(t, config);
  mkdirSync(join(made.project, "hooks"));
  writeGuard(made, guard);
  return made;
}

function writeGuard(made: Place, text: string): void {
  made.write("hooks/no-rm.sh", text);
  chmodSync(join(made.project, "hooks/no-rm.sh"), 0o755);
}

/** What an agent hears whose hook is called before it runs this command. */
async function ask(made: Place, command: string): Promise<{ status: number | null; said: string }> {
  const child = made.start(process.execPath, [bin, "hook", "claude-code", "--guard"], { CLAUDECODE: "1" });
  const input = { session_id: "s1", cwd: made.project, hook_event_name: "PreToolUse", tool_use_id: command };
  child.stdin?.end(JSON.stringify({ ...input, tool_name: "Bash", tool_input: { command } }));
  const { status, stdout, stderr } = await endOf(child);
  return { status, said: stdout + stderr };
}

/** The whole way of a person, each step of which an agent feels at once. */
async function walk(made: Place): Promise<void> {
  assert.match((await ask(made, "ls")).said, /"deny".*are not approved: no-rm\. .*swarm trust/);
  const first = await made.swarm("trust", "--yes");
  assert.equal(first.status, 0);
  assert.match(
    first.stdout,
    /^approved: 2 hooks of .*swarm\.yaml run from now on, as shown; one that changes asks again\n$/,
  );
  assert.match(
    first.stderr,
    /file hooks\/no-rm\.sh: 29 bytes, sha256 [0-9a-f]{16}, executable\n {4}\+ #!\/bin\/sh\n {4}\+ ! grep/,
  );
  assert.match(first.stderr, /note: what these programs load .* is not covered/);
  assert.match((await ask(made, "ls -a")).said, /added/);
  assert.match((await ask(made, "rm -rf x")).said, /"deny"/);
  assert.match((await made.swarm("trust")).stdout, /approved already: there is nothing to decide\n$/);

  writeGuard(made, "#!/bin/sh\ntrue\n");
  assert.match((await ask(made, "rm -rf y")).said, /"deny".*have changed since they were approved: no-rm/);
  const { stdout } = await made.swarm("trust", "--show");
  assert.match(stdout, /\nno-rm: changed, a guard for tool\.before\n/);
  assert.match(stdout, /\n {4} {2}#!\/bin\/sh\n {4}- ! grep -q 'rm -rf'\n {4}\+ true\n/);
  assert.match(stdout, /\nadds: trusted, no guard for tool\.before\n/);

  assert.match(
    (await made.swarm("trust", "--ignore")).stdout,
    /^ignored: 2 hooks of .* nothing is denied for it\n$/,
  );
  assert.doesNotMatch((await ask(made, "rm -rf z")).said, /deny|added/);
  const revoked = await made.swarm("trust", "--revoke");
  assert.match(revoked.stdout, /^revoked: .*; among them are guards: every tool is denied there\n$/);
  assert.match((await ask(made, "ls -l")).said, /"deny".*are not approved/);
  const { items } = await made.json<{ items: { event: string }[] }>("audit", "log", "--kind", "change");
  assert.deepEqual(
    items.map(({ event }) => event),
    ["trust.revoked", "trust.ignored", "trust.approved"],
  );
}

/** A file that runs code when it is loaded: shown, approved, listed, revoked. */
async function walkFile(made: Place): Promise<void> {
  made.write("model.joblib", "bytes");
  const untold = await made.swarm("trust", "--file", "model.joblib");
  assert.equal(untold.status, 64);
  assert.match(
    untold.stderr,
    /model\.joblib: untrusted, 5 bytes, sha256 [0-9a-f]{64}\n {2}note: loading it runs whatever code it holds/,
  );
  assert.match((await made.swarm("trust", "--files")).stdout, /^no file is approved/);
  assert.match(
    (await made.swarm("trust", "--file", "model.joblib", "--yes")).stdout,
    /^approved: these bytes/,
  );
  assert.match((await made.swarm("trust", "--file", "model.joblib")).stdout, /nothing to decide\n$/);
  assert.match(
    (await made.swarm("trust", "--files")).stdout,
    /^FILE .*\n\S+model\.joblib +[0-9a-f]{16} +5 +20/,
  );
  made.write("model.joblib", "other");
  assert.match(
    (await made.swarm("trust", "--file", "model.joblib", "--show")).stdout,
    /: changed, .*\n {2}was approved as/,
  );
  assert.match(
    (await made.swarm("trust", "--file", "model.joblib", "--revoke")).stdout,
    /^revoked: [0-9a-f]{64} /,
  );
  assert.equal((await made.swarm("trust", "--file", "model.joblib", "--revoke")).status, 64);
  assert.equal((await made.swarm("trust", "--file", "model.joblib", "--ignore")).status, 64);
}

suite("swarm trust", () => {
  test("decides about a file, without a daemon", async (t) => walkFile(place(t)));

  test("decides about a file, with a daemon", async (t) => {
    const made = place(t);
    await made.up();
    await walkFile(made);
  });

  test("decides what agents' calls run, without a daemon", async (t) => walk(place(t)));

  test("does the same with a daemon, live", async (t) => {
    const made = place(t);
    await made.up();
    await walk(made);
  });

  test("asks a person, and takes anything but yes for no", { skip: noTerminal }, async (t) => {
    const made = place(t);
    const answer = async (text: string): Promise<string> => {
      const terminal = onTerminal(made, ["trust"]);
      let printed = "";
      terminal.stdout?.on("data", (chunk) => {
        printed += chunk;
      });
      const ended = endOf(terminal);
      await until(() => printed.includes("[y/N]"));
      terminal.stdin?.write(`${text}\n`);
      await ended;
      return printed;
    };
    for (const no of ["", "no", "yess"]) assert.match(await answer(no), /nothing was decided/);
    assert.equal((await made.json<{ state: string }>("trust")).state, "untrusted");
    assert.match(await answer("y"), /approved: 2 hooks/);
    assert.equal((await made.json<{ state: string }>("trust")).state, "trusted");
  });

  test("approves nothing when there is nobody to ask", async (t) => {
    const made = place(t);
    const { status, stdout, stderr } = await made.swarm("trust");
    assert.deepEqual([status, stdout], [64, ""]);
    assert.match(stderr, /there is nobody to ask: add --yes to approve what is shown above, or --show/);
    assert.equal((await made.json<{ state: string }>("trust")).state, "untrusted");
  });

  test("takes a folder, a file, and one thing at a time", async (t) => {
    const made = place(t);
    for (const path of ["hooks", "swarm.yaml", "hooks/no-rm.sh"])
      assert.equal((await made.json<{ folder: string }>("trust", path)).folder, made.project);
    const both = await made.swarm("trust", "--yes", "--ignore");
    assert.deepEqual([both.status, both.stdout], [64, ""]);
    assert.match(both.stderr, /--yes and --ignore do not go together/);
    assert.match((await made.swarm("trust", "nowhere")).stderr, /there is no "nowhere"/);
    const elsewhere = await made.swarm("trust", "..");
    assert.match(elsewhere.stderr, /no hooks of a project are in force in .* \[SWARM_TRUST_NOTHING\]\n$/);
    assert.ok(!existsSync(join(made.home, "trust")));
  });
});
