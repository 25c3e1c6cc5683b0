import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { bin, endOf, Place, noTerminal as skip } from "./harness.ts";
import { typed } from "./type-passphrase.ts";

const policy = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const required = `approvals: { require: person }\n${policy}`;
const passphrase = "correct horse battery";
const data = JSON.stringify({ tool_name: "Bash", tool_input: { command: "git push" } });

interface Outcome {
  decision: { verdict: string; reason: string };
  approval: { id: string };
}

function placeWith(t: ConstructorParameters<typeof Place>[0], config: string): Place {
  const place = new Place(t);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), config);
  return place;
}

const emit = (place: Place) => place.json<Outcome>("emit", "tool.before", "--data", data);

/** As often as it is asked for. */
const three = (answer: string) => [answer, answer, answer];

/** The same without any terminal, even where the tests have one. */
function withoutTerminal(place: Place, args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}) {
  const child = place.start("setsid", ["--wait", process.execPath, bin, ...args], env);
  child.stdin?.end(input);
  return endOf(child);
}

suite("a person's key", { skip }, () => {
  for (const isUp of [true, false]) {
    test(`is made, approves and is refused as it should, ${isUp ? "by a daemon" : "without one"}`, async (t) => {
      const place = placeWith(t, required);
      const up = isUp ? await place.up() : null;
      const made = await typed(place, ["approvals", "key", "add", "--name", "ada"], passphrase, passphrase);
      assert.match(
        made.printed,
        /^ada \(key_[0-9a-f]{32}\) is an approver's key; approvals take its signature$/m,
      );
      assert.ok(!readFileSync(join(place.home, "approvers.json"), "utf8").includes("PRIVATE"));

      const asked = await emit(place);
      assert.equal(asked.decision.verdict, "deny");
      const { id } = asked.approval;
      // What comes by a pipe is no passphrase.
      const nowhere = await withoutTerminal(place, ["approvals", "approve", id], `${passphrase}\n`);
      assert.match(nowhere.stderr, /found no terminal to ask on.*\[SWARM_APPROVER_TERMINAL\]/);
      if (up !== null) {
        const path = `/api/v1/approvals/${id}/decision`;
        const { status, body } = await place.call(up.port, "POST", path, { decision: "approved" });
        assert.deepEqual([status, body.code], [403, "SWARM_APPROVAL_NEEDS_PERSON"]);
      }
      const wrong = await typed(place, ["approvals", "approve", id], ...three("not this passphrase"));
      assert.deepEqual([wrong.status, /SWARM_APPROVER_PASSPHRASE/.test(wrong.printed)], [65, true]);
      assert.equal((await emit(place)).approval.id, id);

      const approved = await typed(
        place,
        ["approvals", "approve", id, "--reason", "release day"],
        "a typing error",
        passphrase,
      );
      assert.equal(approved.status, 0, approved.printed);
      assert.match(approved.printed, /"command": "git push"/);
      assert.match(approved.printed, /reason: release day/);
      assert.match((await place.swarm("approvals", "show", id)).stdout, /^signed by +key_[0-9a-f]{32}$/m);
      const passed = await emit(place);
      assert.deepEqual([passed.decision.verdict, passed.approval.id], ["allow", id]);
      assert.notEqual((await emit(place)).approval.id, id);
      assert.equal((await place.swarm("audit", "verify")).status, 0);
    });
  }

  test("that was added cannot be added to, removed or done without but by itself", async (t) => {
    const place = placeWith(t, required);
    await place.up();
    await typed(place, ["approvals", "key", "add", "--name", "ada"], passphrase, passphrase);
    const other = "another long phrase";
    const refused = await typed(
      place,
      ["approvals", "key", "add", "--name", "eve"],
      other,
      other,
      ...three(other),
    );
    assert.match(refused.printed, /SWARM_APPROVER_PASSPHRASE/);
    const { keys } = await place.json<{ keys: { name: string }[] }>("approvals", "key", "list");
    assert.deepEqual(
      keys.map(({ name }) => name),
      ["ada"],
    );
    const added = await typed(place, ["approvals", "key", "add", "--name", "bob"], other, other, passphrase);
    assert.match(added.printed, /^bob \(key_[0-9a-f]+\) is an approver's key/m);

    writeFileSync(join(place.home, "config.yaml"), policy);
    const { approval } = await emit(place);
    const without = await withoutTerminal(place, ["approvals", "approve", approval.id]);
    assert.match(without.stderr, /SWARM_APPROVER_TERMINAL/);
    const wrong = await typed(place, ["approvals", "require", "any"], ...three("not this passphrase"));
    assert.match(wrong.printed, /SWARM_APPROVER_PASSPHRASE/);
    assert.match(
      (await place.swarm("approvals", "key", "list")).stdout,
      /approvals take a person's key, until an approver signs swarm approvals require any/,
    );
    const removed = await typed(place, ["approvals", "key", "remove", "bob"], passphrase);
    assert.match(removed.printed, /bob \(key_[0-9a-f]+\) is no approver's key any more/);
    const ended = await typed(place, ["approvals", "require", "any"], passphrase);
    assert.match(ended.printed, /^approvals take any operator's token$/m);
    await place.json("approvals", "approve", approval.id);
    assert.equal((await place.swarm("audit", "verify")).status, 0);
  });

  test("is recommended by doctor, missed where it is required, and found by verification when its signature is not", async (t) => {
    const place = placeWith(t, policy);
    const findings = async () => {
      const own = (await place.doctor()).filter(
        ({ about, finding }) => about === "approvals" && !/wait for a person/.test(finding),
      );
      return own.map(({ level, finding }) => `${level}: ${finding}`);
    };
    assert.match(
      (await findings()).join(),
      /^note: whatever holds an operator's token .*swarm approvals key add/,
    );
    writeFileSync(join(place.home, "config.yaml"), required);
    assert.match(
      (await findings()).join(),
      /^broken: .*nothing can be approved: run swarm approvals key add$/,
    );
    await typed(place, ["approvals", "key", "add", "--name", "ada"], passphrase, passphrase);
    assert.deepEqual(await findings(), [
      "note: there is one key, and no way to approve without it: add a second",
      "ok: they take a person's key: ada (passphrase)",
    ]);
    const { id } = (await emit(place)).approval;
    await typed(place, ["approvals", "approve", id], passphrase);
    const intact = await place.swarm("audit", "verify");
    assert.equal(intact.status, 0, intact.stdout);
    const database = new DatabaseSync(join(place.home, "swarm.db"));
    database.exec(
      "delete from payloads where seq in (select seq from run_events where after_hash is not null)",
    );
    database.close();
    const damaged = await place.swarm("audit", "verify");
    assert.notEqual(damaged.status, 0);
    assert.match(
      damaged.stdout + damaged.stderr,
      /approves with a signature that does not count: it is gone/,
    );
  });

  test("is not an approver's while it cannot be written", async (t) => {
    const place = placeWith(t, required);
    mkdirSync(join(place.home, "approvers.json"));
    const { status, printed } = await typed(place, ["approvals", "key", "add"], passphrase, passphrase);
    assert.deepEqual([status, /SWARM_APPROVER_KEY_FILE/.test(printed)], [70, true]);
    rmdirSync(join(place.home, "approvers.json"));
    const { keys } = await place.json<{ keys: object[] }>("approvals", "key", "list");
    assert.deepEqual(keys, []);
    const refused = await typed(place, ["approvals", "key", "add", "--name", "a\tb"], passphrase, passphrase);
    assert.match(refused.printed, /SWARM_OPTION_INVALID/);
    assert.doesNotMatch(readFileSync(join(place.home, "approvers.json"), "utf8"), /public_key/);
  });
});
