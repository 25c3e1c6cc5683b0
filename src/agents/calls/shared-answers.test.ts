import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import type { Judged } from "./native-calls.ts";
import { forgetSharedAnswers, SharedAnswers } from "./shared-answers.ts";

const minuteMs = 60_000;
const answer = (text: string) => ({ stdout: text, stderr: "", exitCode: 0 });

/** A home, and processes that share it: each has an object of its own. */
function place(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "swarm-shared-"));
  t.after(() => rmSync(home, { recursive: true }));
  let nowMs = 1_000 * minuteMs;
  const judged: string[] = [];
  const ask = (who: string, came: Judged | Promise<Judged> = answer(who), key = "key") =>
    new SharedAnswers(home, () => nowMs).once(key, async () => {
      judged.push(who);
      return came;
    });
  const claimedBy = (pid: number) => {
    mkdirSync(join(home, "calls/1000"), { recursive: true });
    writeFileSync(join(home, "calls/1000/key"), JSON.stringify({ pid, answer: null }));
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { home, ask, judged, pass, claimedBy };
}

suite("a call that comes to several processes", () => {
  test("is judged by the first, and the others wait for its answer", async (t) => {
    const { ask, judged } = place(t);
    let end: (answered: Judged) => void = () => undefined;
    const first = ask("first", new Promise((resolve) => (end = resolve)));
    const second = ask("second");
    while (judged.length === 0) await new Promise((resolve) => setImmediate(resolve));
    end(answer("first's"));
    assert.deepEqual(await Promise.all([first, second]), [answer("first's"), answer("first's")]);
    assert.deepEqual(await ask("third"), answer("first's"));
    assert.deepEqual(judged, ["first"]);
  });

  test("is not taken for another one", async (t) => {
    const { ask } = place(t);
    await ask("first");
    assert.deepEqual(await ask("second", undefined, "other"), answer("second"));
  });

  test("is judged by the second when the first is gone without an answer", async (t) => {
    const { ask, claimedBy } = place(t);
    const child = spawn("true");
    await once(child, "exit");
    claimedBy(child.pid ?? 0);
    assert.deepEqual(await ask("second"), answer("second"));
  });

  test("is judged by the second when the first could not", async (t) => {
    const { ask, judged } = place(t);
    const error = new SwarmError("SWARM_NOT_SERVING", { state: "stopping" });
    assert.equal(await ask("first", error), error);
    assert.deepEqual(await ask("second"), answer("second"));
    assert.deepEqual(judged, ["first", "second"]);
  });

  test("is remembered over the turn of a minute, and after the next one forgotten, files and all", async (t) => {
    const { ask, pass, home } = place(t);
    await ask("first");
    pass(minuteMs);
    assert.deepEqual(await ask("second"), answer("first"));
    pass(minuteMs);
    assert.deepEqual(await ask("third"), answer("third"));
    assert.deepEqual(readdirSync(join(home, "calls")), ["1002"]);
    assert.deepEqual(readdirSync(join(home, "calls/1002")), ["key"]);
  });

  for (const [what, came] of [
    ["in a text", answer("use ghp_0123456789abcdefghij0123")],
    ["under a name in JSON", answer('{"updatedInput":{"api_key":"hunter2"}}')],
  ] as const) {
    test(`leaves no secret ${what} on the disk, and is judged twice instead`, async (t) => {
      const { ask, judged, home } = place(t);
      assert.deepEqual(await ask("first", came), came);
      assert.deepEqual(readdirSync(join(home, "calls/1000")), []);
      assert.deepEqual(await ask("second", came), came);
      assert.deepEqual(judged, ["first", "second"]);
    });
  }

  test("is forgotten when there is a daemon to come to", async (t) => {
    const { ask, home } = place(t);
    await ask("first");
    forgetSharedAnswers(home);
    assert.equal(existsSync(join(home, "calls")), false);
    forgetSharedAnswers(home);
    assert.deepEqual(await ask("second"), answer("second"));
  });

  test("is judged all the same where nothing can be written", async (t) => {
    const { ask, home } = place(t);
    writeFileSync(join(home, "calls"), "in the way");
    assert.deepEqual(await ask("first"), answer("first"));
    assert.equal(readFileSync(join(home, "calls"), "utf8"), "in the way");
  });

  test("is judged all the same when what lies there is no claim", async (t) => {
    const { ask, home } = place(t);
    mkdirSync(join(home, "calls/1000"), { recursive: true });
    writeFileSync(join(home, "calls/1000/key"), "{");
    assert.deepEqual(await ask("first"), answer("first"));
    assert.ok(existsSync(join(home, "calls/1000/key")));
  });
});

test("calls that come to two processes at the same moment are judged once each", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "swarm-shared-"));
  t.after(() => rmSync(home, { recursive: true }));
  const judged = join(home, "judged");
  const program = `
    import { appendFileSync } from "node:fs";
    import { SharedAnswers } from ${JSON.stringify(new URL("./shared-answers.ts", import.meta.url).href)};
    const answers = new SharedAnswers(${JSON.stringify(home)});
    for (let call = 0; call < 300; call++)
      await answers.once("call" + call, async () => {
        appendFileSync(${JSON.stringify(judged)}, call + "\\n");
        return { stdout: "", stderr: "", exitCode: 0 };
      });`;
  const ended = [1, 2].map(() =>
    once(spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" }), "exit"),
  );
  for (const [code] of await Promise.all(ended)) assert.equal(code, 0);
  const calls = readFileSync(judged, "utf8").trimEnd().split("\n");
  assert.deepEqual([calls.length, new Set(calls).size], [300, 300]);
});
