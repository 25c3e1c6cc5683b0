import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { backoffMs, judgeFailure, judgeResponse } from "./judge-attempt.ts";

const nowMs = Date.UTC(2026, 0, 1);
const judge = (status: number, headers: Record<string, string> = {}, body = "") =>
  judgeResponse({ status, headers, body: Buffer.from(body), isCut: false }, nowMs);

test("every 2xx delivers, whatever it says", () => {
  for (const status of [200, 201, 202, 204, 299])
    assert.deepEqual(judge(status, {}, "no"), { kind: "delivered" });
});

test("what will never be taken is not tried again", () => {
  for (const status of [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 451]) {
    assert.deepEqual(judge(status), { kind: "refused", error: `status ${status}` });
  }
});

test("a redirect is refused: it would lead somewhere nobody has checked", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    assert.deepEqual(judge(status), {
      kind: "refused",
      error: `status ${status}: redirects are not followed`,
    });
  }
});

test("what is turned down for the moment is one of the retries", () => {
  for (const status of [408, 425, 429]) {
    assert.deepEqual(judge(status), { kind: "retry", error: `status ${status}`, afterMs: 0 });
  }
});

test("a receiver that fails is waited for", () => {
  for (const status of [500, 502, 503, 504, 599]) {
    assert.deepEqual(judge(status), { kind: "wait", error: `status ${status}`, afterMs: 0 });
  }
});

test("a receiver that cannot be reached is waited for, and one that may not be is retried", () => {
  const params = { hook: "it", host: "a", problem: "b" };
  const codes = [
    "SWARM_CONNECT_FAILED",
    "SWARM_HOST_UNRESOLVED",
    "SWARM_TLS_FAILED",
    "SWARM_RESPONSE_BROKEN",
  ] as const;
  for (const code of codes) assert.equal(judgeFailure(new SwarmError(code, params)).kind, "wait");
  assert.equal(
    judgeFailure(new SwarmError("SWARM_HANDLER_TIMED_OUT", { hook: "it", timeoutMs: 1 })).kind,
    "wait",
  );
  assert.equal(judgeFailure(new SwarmError("SWARM_ADDRESS_REFUSED", params)).kind, "retry");
});

const asked: readonly (readonly [header: string, ms: number])[] = [
  ["0", 0],
  ["7", 7_000],
  ["999999999", 86_400_000],
  ["99999999999", 86_400_000],
  [new Date(nowMs + 90_000).toUTCString(), 90_000],
  [new Date(nowMs - 90_000).toUTCString(), 0],
  ["soon", 0],
  ["-5", 0],
  ["", 0],
];

for (const [header, afterMs] of asked) {
  test(`Retry-After: ${JSON.stringify(header)} asks for ${afterMs} ms`, () => {
    assert.deepEqual(judge(429, { "retry-after": header }), { kind: "retry", error: "status 429", afterMs });
    assert.deepEqual(judge(503, { "retry-after": header }), { kind: "wait", error: "status 503", afterMs });
  });
}

test("another swarm that had the message already has it", () => {
  assert.equal(judge(409, {}, '{"code": "SWARM_INBOUND_REPLAYED"}').kind, "delivered");
  assert.equal(judge(409, {}, '{"code": "CONFLICT"}').kind, "refused");
  assert.equal(judge(409, {}, "[").kind, "refused");
  assert.equal(judge(400, {}, '{"code": "SWARM_INBOUND_REPLAYED"}').kind, "refused");
});

test("waits grow from half a second to five minutes, and are anywhere between nothing and that", () => {
  const most = (failures: number) => backoffMs(failures, () => 0.999_999_999);
  assert.deepEqual([1, 2, 3, 10, 11, 2_000].map(most), [499, 999, 1_999, 255_999, 299_999, 299_999]);
  assert.equal(
    backoffMs(5, () => 0),
    0,
  );
  assert.equal(
    backoffMs(2, () => 0.5),
    500,
  );
});
