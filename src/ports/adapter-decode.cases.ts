import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toNativeFields } from "../adapters/fields.ts";
import { adapterFor } from "../adapters/index.ts";
import { validatePayload } from "../events/validate.ts";
import type { AdapterCase } from "./adapter.cases.ts";
import type { DecodedCall, NativeCall } from "./adapter.ts";
import { readFixtures } from "./fixtures.cases.ts";

export function decodeCases({ adapter, fixtures: folder, env }: AdapterCase): void {
  const fixtures = readFixtures(folder);
  const decode = (payload: NativeCall["payload"]) => adapter.decode({ payload, env: env(payload) });

  for (const { name, payload } of fixtures) {
    test(`${name} becomes an event of the catalogue that can be turned back`, () => {
      const call = decode(payload);
      validatePayload(call.event, call.data);
      assert.deepEqual(nativePayload(call), payload);
      assert.deepEqual(
        [
          call.nativeEvent,
          call.origin.native_event,
          call.origin.source,
          call.origin.session,
          call.origin.cwd,
        ],
        [payload.hook_event_name, payload.hook_event_name, adapter.agent, payload.session_id, payload.cwd],
      );
    });

    test(`${name} is recognised, whatever name its entry was installed under`, () => {
      const call = { payload, env: env(payload) };
      assert.equal(adapter.recognises(call), true);
      assert.equal(adapterFor(call, "another-agent"), adapter);
    });
  }

  test("every event of its table has a payload to show for it", () => {
    const shown = new Set(fixtures.map(({ payload }) => payload.hook_event_name));
    assert.deepEqual(
      adapter.events.map(({ native }) => native).filter((native) => !shown.has(native)),
      [],
    );
  });

  test("its table is at one with itself", () => {
    const natives = adapter.events.map(({ native }) => native);
    assert.equal(new Set(natives).size, natives.length);
    for (const {
      native,
      verdicts,
      deny,
      takesStop,
      actsBeforeStop,
      timeoutS,
      maxTimeoutS,
    } of adapter.events) {
      assert.equal(verdicts.includes("deny"), deny !== "nothing", native);
      assert.ok(takesStop || !actsBeforeStop, native);
      assert.ok(timeoutS > 0 && (maxTimeoutS ?? timeoutS) >= timeoutS, native);
    }
  });

  test("a payload with any further fields, of any type, keeps them all and is still valid", () => {
    const more = fc.dictionary(fieldNames, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), more, ({ payload }, added) => {
        const required = ["hook_event_name", "tool_name", "tool_response", "prompt", "error", "message"];
        const kept = Object.fromEntries(
          required.filter((key) => key in payload).map((key) => [key, payload[key]]),
        );
        const changed = { ...payload, ...added, ...kept };
        const call = decode(changed);
        assert.deepEqual(nativePayload(call), changed);
        validatePayload(call.event, call.data);
      }),
      { numRuns: 500 },
    );
  });

  test("an event it does not know is kept whole", () => {
    for (const payload of [{ hook_event_name: "Newer", x: [1] }, { hook_event_name: 7 }, {}]) {
      const { event, data, key } = decode(payload);
      validatePayload(event, data);
      assert.deepEqual([event, data.payload, key], ["native.unknown", payload, null]);
    }
  });

  test("a call has the same key when it comes again, and another one when anything about it differs", () => {
    const keyed = fixtures.filter(({ payload }) => decode(payload).key !== null);
    assert.ok(keyed.some(({ payload }) => payload.hook_event_name === "PreToolUse"));
    for (const { name, payload } of keyed) {
      const again = structuredClone(payload);
      assert.equal(decode(again).key, decode(payload).key, name);
      for (const field of ["session_id", "tool_use_id", "hook_event_name"]) {
        assert.notEqual(
          decode({ ...payload, [field]: "another" }).key,
          decode(payload).key,
          `${name} ${field}`,
        );
      }
      const rewritten = { ...payload, tool_input: { command: "rm -rf /" } };
      assert.notEqual(decode(rewritten).key, decode(payload).key, name);
    }
    const keys = keyed.map(({ payload }) => decode(payload).key);
    assert.equal(new Set(keys).size, keys.length);
  });

  test("what can come again word for word has no key", () => {
    const again = ["Stop", "SubagentStop", "PermissionRequest", "PreCompact", "SessionStart", "SessionEnd"];
    const keyed = fixtures.filter(({ payload }) => again.includes(String(payload.hook_event_name)));
    assert.ok(keyed.length >= again.length);
    assert.deepEqual(
      keyed.map(({ payload }) => decode(payload).key),
      keyed.map(() => null),
    );
  });
}

/** Names that are ours, theirs, both, and such that trap careless code. */
const fieldNames = fc.oneof(
  fc.constantFrom(
    "session_id",
    "agent_id",
    "agent_type",
    "agent_name",
    "tool_input",
    "tool_output",
    "source",
    "messages",
    "context",
    "duration_ms",
    "native:tool_output",
    "native:native:x",
    "native:value",
    "constructor",
    "toString",
  ),
  fc.string({ maxLength: 8 }).filter((name) => name !== "__proto__"),
);

function nativePayload({ event, nativeEvent, data }: DecodedCall): unknown {
  return event === "native.unknown" ? data.payload : toNativeFields(event, nativeEvent, data);
}
