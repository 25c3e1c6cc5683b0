import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toNativeFields } from "../adapters/fields.ts";
import { adapterFor } from "../adapters/index.ts";
import { validatePayload } from "../../engine/events/validate.ts";
import type { AdapterCase } from "./adapter.cases.ts";
import type { DecodedCall, NativeCall } from "./adapter.ts";
import { type Fixture, readFixtures } from "./fixtures.cases.ts";

export function decodeCases(given: AdapterCase): void {
  const { adapter, fixtures: folder, env } = given;
  const fixtures = readFixtures(folder);
  const decode = (fixture: Fixture, payload: NativeCall["payload"] = fixture.payload) =>
    adapter.decode({ payload, env: env(fixture) });
  const nativeOf = given.nativeOf ?? (({ payload }) => payload.hook_event_name);
  const originOf = given.originOf ?? (({ session_id, cwd }) => ({ session: session_id, cwd }));
  const nativePayload = (call: DecodedCall): unknown =>
    call.event === "native.unknown"
      ? call.data.payload
      : toNativeFields(call.nativeEvent, call.data, given.fieldsOf(call));

  for (const fixture of fixtures) {
    const { name, payload } = fixture;
    test(`${name} becomes an event of the catalogue that can be turned back`, () => {
      const call = decode(fixture);
      validatePayload(call.event, call.data);
      assert.deepEqual(nativePayload(call), payload);
      const { session, cwd } = originOf(payload);
      assert.deepEqual(
        [
          call.nativeEvent,
          call.origin.native_event,
          call.origin.source,
          call.origin.session,
          call.origin.cwd,
        ],
        [nativeOf(fixture), nativeOf(fixture), adapter.agent, session, cwd],
      );
    });

    test(`${name} is recognised, whatever name its entry was installed under`, () => {
      const call = { payload, env: env(fixture) };
      assert.equal(adapter.recognises(call), true);
      assert.equal(adapterFor(call, "another-agent"), adapter);
    });
  }

  test("every event of its table has a payload to show for it", () => {
    const nameOf = ({ native, event }: { native: string; event: string }) => `${native}: ${event}`;
    const calls = fixtures.map((fixture) => decode(fixture));
    const shown = new Set(calls.map(({ nativeEvent, event }) => nameOf({ native: nativeEvent, event })));
    assert.deepEqual(
      adapter.events.map(nameOf).filter((row) => !shown.has(row)),
      [],
    );
  });

  test("its table is at one with itself", () => {
    const rows = adapter.events.map(({ native, event }) => `${native}: ${event}`);
    assert.equal(new Set(rows).size, rows.length);
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
    const names = fc.oneof(fieldNames, fc.constantFrom("tool_output", ...(given.ownFields ?? [])));
    const more = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
    const usual = ["hook_event_name", "tool_name", "tool_response", "prompt", "error", "message"];
    const required = [...usual, ...(given.required ?? [])];
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), more, (fixture, added) => {
        const { payload } = fixture;
        const kept = Object.fromEntries(
          required.filter((key) => key in payload).map((key) => [key, payload[key]]),
        );
        const changed = { ...payload, ...added, ...kept };
        const call = decode(fixture, changed);
        assert.deepEqual(nativePayload(call), changed);
        validatePayload(call.event, call.data);
      }),
      { numRuns: 500 },
    );
  });

  test("an event it does not know is kept whole", () => {
    for (const payload of [{ hook_event_name: "Newer", x: [1] }, { hook_event_name: 7 }, {}]) {
      const { event, data, key } = adapter.decode({ payload, env: {} });
      validatePayload(event, data);
      assert.deepEqual([event, data.payload, key], ["native.unknown", payload, null]);
    }
  });

  test("a call has the same key when it comes again, and another one when anything about it differs", () => {
    const keyed = fixtures.filter((fixture) => decode(fixture).key !== null);
    assert.ok(keyed.some((fixture) => nativeOf(fixture) === given.toolEvent));
    for (const fixture of keyed) {
      const call = decode(fixture);
      assert.equal(decode(fixture, structuredClone(fixture.payload)).key, call.key, fixture.name);
      assert.equal(call.keyWith(structuredClone(call.data)), call.key, fixture.name);
      for (const field of ["session_id", "tool_use_id"]) {
        if (!(field in call.data)) continue;
        assert.notEqual(
          call.keyWith({ ...call.data, [field]: "another" }),
          call.key,
          `${fixture.name} ${field}`,
        );
      }
      if (!("tool_input" in call.data)) continue;
      assert.notEqual(
        call.keyWith({ ...call.data, tool_input: { command: "rm -rf /" } }),
        call.key,
        fixture.name,
      );
    }
    const keys = keyed.map((fixture) => decode(fixture).key);
    assert.equal(new Set(keys).size, keys.length);
  });

  test("the order of an object's keys makes no other call of it", () => {
    for (const fixture of fixtures) {
      const backwards = Object.fromEntries(Object.entries(fixture.payload).reverse());
      assert.equal(decode(fixture, backwards).key, decode(fixture).key, fixture.name);
    }
  });

  test("what can come again word for word has no key", () => {
    const again = fixtures.filter((fixture) => given.repeated.includes(String(nativeOf(fixture))));
    assert.ok(again.length >= given.repeated.length);
    assert.deepEqual(
      again.map((fixture) => decode(fixture).key),
      again.map(() => null),
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
