import assert from "node:assert/strict";
import { test } from "node:test";
import { secretProblem, sign, signingKey } from "./standard-webhooks.ts";

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
