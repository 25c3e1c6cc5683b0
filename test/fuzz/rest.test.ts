import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eventNames } from "../../src/engine/events/names.ts";
import type { Field, Fields } from "../../src/engine/events/schema.ts";
import { openApp } from "../../src/daemon/server/harness.cases.ts";
import { served } from "../../src/daemon/rest/openapi.ts";
import { hostileJson, hostileText, watchRejections } from "./harness.ts";

/** Mostly what fits the field, as far as its type says: the rest has to be found out further in. */
function fittingFor({ type, values }: Field, cwd: string): fc.Arbitrary<unknown> {
  const fitting: Partial<Record<Field["type"], fc.Arbitrary<unknown>>> = {
    string:
      values === undefined
        ? fc.oneof(hostileText, fc.constantFrom(cwd, ...eventNames))
        : fc.constantFrom(...values),
    number: fc.double(),
    integer: fc.integer(),
    boolean: fc.boolean(),
    object: fc.dictionary(
      fc.constantFrom("tool_name", "tool_input", "message", "level", "__proto__"),
      hostileJson,
    ),
  };
  const own = fitting[type];
  return own === undefined
    ? hostileJson
    : fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: hostileJson });
}

function bodyFor(fields: Fields, cwd: string): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const model = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fittingFor(field, cwd)]),
  );
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired);
  const shaped = fc.oneof(
    fc.record(model, { requiredKeys: required }),
    fc.record({ ...model, other: hostileJson }, { requiredKeys: [] }),
    hostileJson,
  );
  return fc.oneof(
    { weight: 8, arbitrary: shaped.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)) },
  );
}

test("whatever is sent to any operation, it answers as documented, or with a code that is not a bug's", async (t) => {
  watchRejections(t);
  const { call, cwd, warnings } = await openApp(t);
  const operation = fc.constantFrom(...served).chain((route) => {
    const segment = fc.oneof(hostileText.map(encoded), fc.constantFrom("none", "hooks_enabled", "1"));
    const queries = Object.entries(route.query).map(([name, field]) => [
      name,
      fittingFor(field, cwd).map((value) =>
        encoded(typeof value === "string" ? value : JSON.stringify(value)),
      ),
    ]);
    return fc.record({
      route: fc.constant(route),
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      query: fc.record(Object.fromEntries(queries) as Record<string, fc.Arbitrary<string>>, {
        requiredKeys: [],
      }),
      body: bodyFor(route.body ?? {}, cwd),
    });
  });
  const property = fc.asyncProperty(operation, async ({ route, segments, query, body }) => {
    let at = 0;
    const path = route.path.replaceAll(/\{\w+\}/g, () => segments[at++] || "x");
    const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
    const takesBody = route.body !== null || route.takesRaw === true;
    const address = search.length === 0 ? path : `${path}?${search.join("&")}`;
    const { status, body: answer } = await call(route.method, address, takesBody ? body : undefined);
    if (status < 400) return;
    assert.notEqual(answer.code, "SWARM_INTERNAL", `${route.method} ${address}`);
    assert.match(String(answer.code), /^SWARM_/);
  });
  await fc.assert(property, { numRuns: 400 });
  assert.deepEqual(
    warnings.filter((warning) => /Error/.test(warning)),
    [],
  );
});

/** As a browser would write it, whatever it is. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E").slice(0, 300).replace(/%.?$/, "");
}
