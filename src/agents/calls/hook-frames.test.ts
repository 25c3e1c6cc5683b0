import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  maxInputBytes,
  readAnswer,
  readRequest,
  workingFrame,
  writeAnswer,
  writeRequest,
} from "./hook-frames.ts";

const request = {
  agent: "claude-code",
  isGuard: true,
  timeoutMs: 59_500,
  sentAtMs: 1_794_770_611_000,
  env: { CLAUDECODE: "1", CLAUDE_PROJECT_DIR: "/a=b\nc" },
  input: '{"tool_name":"Bash","text":"é😀"}',
};

suite("a request", () => {
  test("is read as it was written, once all of it is there", () => {
    const bytes = writeRequest(request);
    for (let length = 0; length < bytes.length; length++)
      assert.equal(readRequest(bytes.subarray(0, length)), null);
    assert.deepEqual(readRequest(bytes), request);
  });

  test("of an older client, which does not say when it was sent, is read as well", () => {
    const older = { ...request, sentAtMs: null };
    assert.match(writeRequest(older).toString("latin1"), /^swarm-hook\/1 /);
    assert.deepEqual(readRequest(writeRequest(older)), older);
  });

  test("that is none of ours is refused at once", () => {
    const refused = [
      "GET / HTTP/1.1\r\n",
      "swarm-hook/2 a 0 0 0 0\n",
      "swarm-hook/1 a 0 0 1 0 0\n",
      "swarm-hook/3 a 0 0 1 0 0\n",
      "swarm-hook/1 ../x 0 0 0 0\n",
      "x".repeat(256),
    ];
    for (const text of refused) assert.throws(() => readRequest(Buffer.from(text)), /request/);
  });

  test("that announces too much is refused before it comes", () => {
    const [env, input] = [
      `swarm-hook/1 a 0 0 ${64 * 1024 + 1} 0\n`,
      `swarm-hook/1 a 0 0 0 ${maxInputBytes + 1}\n`,
    ];
    for (const text of [env, input]) assert.throws(() => readRequest(Buffer.from(text)), /too large/);
  });

  test("whose input is not UTF-8 is refused: it would be judged as something it is not", () => {
    const bytes = Buffer.concat([Buffer.from("swarm-hook/1 a 1 0 0 2\n"), Buffer.from([0xc3, 0x28])]);
    assert.throws(() => readRequest(bytes));
  });
});

suite("an answer", () => {
  const answer = { exitCode: 2, stdout: "é", stderr: "no\n" };

  test("is read as it was written", () => {
    assert.deepEqual(readAnswer(writeAnswer(answer)), answer);
    assert.deepEqual(readAnswer(writeAnswer({ exitCode: 0, stdout: "", stderr: "" })), {
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
  });

  test("is read behind lines that say it is under way, and such lines alone are none", () => {
    const working = Buffer.from(workingFrame.repeat(3));
    assert.deepEqual(readAnswer(Buffer.concat([working, writeAnswer(answer)])), answer);
    assert.equal(readAnswer(working), null);
  });

  test("that is cut off anywhere, or has more behind it, is none", () => {
    const bytes = writeAnswer(answer);
    for (let length = 0; length < bytes.length; length++)
      assert.equal(readAnswer(bytes.subarray(0, length)), null);
    assert.equal(readAnswer(Buffer.concat([bytes, Buffer.from("x")])), null);
  });
});
