import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { secretProblem, sign, signingKey, signingKeys, whyDisbelieved } from "./standard-webhooks.ts";

test("a message has the signature the standard's own example has", () => {
  const key = signingKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const body = '{"test": 2432232314}';
  assert.deepEqual(sign([key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330_000, body), {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("two keys give two signatures, in their order", () => {
  const [first, second] = [signingKey("whsec_AAAA"), signingKey("plain words")];
  const one = (key: typeof first) => sign([key], "msg_1", 0, "{}")["webhook-signature"];
  assert.equal(sign([first, second], "msg_1", 0, "{}")["webhook-signature"], `${one(first)} ${one(second)}`);
});

test("a secret that only looks like base64 is refused, or both sides would hold different keys", () => {
  assert.deepEqual(["whsec_", "whsec_a b", "whsec_a-b_", ""].map(secretProblem), [
    "base64 after whsec_",
    "base64 after whsec_",
    "base64 after whsec_",
    "a text that is not empty",
  ]);
  assert.deepEqual(["whsec_AAAA", "whsec_AAA=", "a-b_ c"].map(secretProblem), [null, null, null]);
});

test("a secret of which no byte or not every character is read is refused: the key could be empty", () => {
  for (const secret of ["whsec_A", "whsec_A=", "whsec_A==", "whsec_AAAAA", "whsec_AAAAA=="])
    assert.equal(secretProblem(secret), "base64 after whsec_", secret);
});

const [nowMs, body] = [Date.now(), '{"event": "task.completed", "ü": 1}'];
const [secret, other] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_b3RoZXI="];

test("what we sign the reference implementation believes, and the other way round", () => {
  for (const one of [secret, "whsec_AAAA"]) {
    const reference = new Webhook(one);
    const headers = sign(signingKeys(one), "msg_1", nowMs, body);
    assert.deepEqual(reference.verify(body, { ...headers }), JSON.parse(body));
    const signature = reference.sign("msg_1", new Date(nowMs), body);
    assert.equal(headers["webhook-signature"], signature);
    assert.equal(
      whyDisbelieved(signingKeys(one), { ...headers, "webhook-signature": signature }, body, nowMs),
      null,
    );
  }
});

test("a secret that is its own bytes is the reference implementation's raw one", () => {
  const headers = sign(signingKeys("plain words"), "msg_1", nowMs, body);
  const reference = new Webhook("plain words", { format: "raw" });
  assert.deepEqual(reference.verify(body, { ...headers }), JSON.parse(body));
});

test("a receiver with either key believes what is signed with both", () => {
  const headers = sign(signingKeys(secret, other), "msg_1", nowMs, body);
  for (const one of [secret, other]) {
    assert.doesNotThrow(() => new Webhook(one).verify(body, { ...headers }));
    assert.equal(whyDisbelieved(signingKeys(one), headers, body, nowMs), null);
  }
  assert.equal(whyDisbelieved(signingKeys("whsec_AAAA", secret), headers, body, nowMs), null);
});

const signed = sign(signingKeys(secret), "msg_1", nowMs, body);
const past = (seconds: number) => sign(signingKeys(secret), "msg_1", nowMs - seconds * 1_000, body);
const foreign = "no signature fits the body and the secret here";
const off = (seconds: number, how: string): string => {
  const timestamp = Math.floor(nowMs / 1000) - seconds;
  const offS = Math.ceil(Math.abs(nowMs / 1000 - timestamp));
  return `webhook-timestamp is ${timestamp}, ${offS} s ${how} the time here, expected at most 300 s`;
};

const disbelieved: Readonly<Record<string, readonly [headers: object, body: string, why: string]>> = {
  "another key": [sign(signingKeys(other), "msg_1", nowMs, body), body, foreign],
  "a body that was changed": [signed, `${body} `, foreign],
  "an id that was changed": [{ ...signed, "webhook-id": "msg_2" }, body, foreign],
  "a time that was changed": [
    { ...signed, "webhook-timestamp": String(Math.floor(nowMs / 1000) - 1) },
    body,
    foreign,
  ],
  "six minutes ago": [past(360), body, off(360, "behind")],
  "six minutes from now": [past(-360), body, off(-360, "ahead of")],
  "no signature": [{ ...signed, "webhook-signature": undefined }, body, "webhook-signature is missing"],
  "an empty signature": [{ ...signed, "webhook-signature": "" }, body, "webhook-signature is missing"],
  "no id": [{ ...signed, "webhook-id": undefined }, body, "webhook-id is missing"],
  "no header at all": [{}, body, "webhook-id, webhook-timestamp, webhook-signature are missing"],
  "half a signature": [
    { ...signed, "webhook-signature": signed["webhook-signature"].slice(0, 20) },
    body,
    foreign,
  ],
  "a signature of another version": [
    { ...signed, "webhook-signature": signed["webhook-signature"].replace("v1,", "v1a,") },
    body,
    foreign,
  ],
  "the right signature after ten wrong ones": [
    { ...signed, "webhook-signature": `${"v1,AAAA ".repeat(10)}${signed["webhook-signature"]}` },
    body,
    foreign,
  ],
  "a time that is no number": [
    { ...signed, "webhook-timestamp": "1e9" },
    body,
    'webhook-timestamp is "1e9", expected Unix seconds',
  ],
  "an id with a dot, which could be moved between the parts": [
    { ...signed, "webhook-id": "msg.1" },
    body,
    'webhook-id is "msg.1", expected letters, digits, _ and -, at most 128 of them',
  ],
};

for (const [what, [headers, text, why]] of Object.entries(disbelieved)) {
  test(`a message with ${what} is not believed`, () => {
    assert.equal(whyDisbelieved(signingKeys(secret), headers as typeof signed, text, nowMs), why);
  });
}

test("a message of up to five minutes before or after is believed", () => {
  for (const seconds of [299, 0, -299]) {
    assert.equal(whyDisbelieved(signingKeys(secret), past(seconds), body, nowMs), null);
  }
});
