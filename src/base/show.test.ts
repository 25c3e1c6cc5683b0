import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { show } from "./show.ts";

/** 80 characters and the mark that some are missing. */
const maxChars = 81;

const shown: readonly (readonly [value: unknown, text: string])[] = [
  ["", '""'],
  ["Bash", '"Bash"'],
  ['say "hi"', '"say \\"hi\\""'],
  ["two\nlines", '"two\\nlines"'],
  [0, "0"],
  [-1.5, "-1.5"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "Infinity"],
  [true, "true"],
  [undefined, "undefined"],
  [null, "null"],
  [Symbol("mark"), "Symbol(mark)"],
  [10n, "a bigint"],
  [[], "an array of 0"],
  [[1, [2, 3]], "an array of 2"],
  [{}, "an object with no keys"],
  [{ verdict: 1, reason: 2 }, "an object with keys verdict, reason"],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, "an object with keys a, b, c, d, e"],
  [Object.create(null), "an object with no keys"],
  [new Date(0), "an object with no keys"],
  [
    function redact() {
      return 0;
    },
    "function redact",
  ],
  [() => 0, "function (anonymous)"],
];

for (const [value, text] of shown) {
  test(`a value is shown as ${text}`, () => assert.equal(show(value), text));
}

const hostile: Readonly<Record<string, () => unknown>> = {
  "a proxy that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a revoked proxy of a function": () => {
    const { proxy, revoke } = Proxy.revocable(() => 0, {});
    revoke();
    return proxy;
  },
  "a proxy that refuses to list its keys": () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("no keys for you");
        },
      },
    ),
  "a function whose name is a symbol": () =>
    Object.defineProperty(() => 0, "name", { value: Symbol("name") }),
  "a function whose name throws": () =>
    Object.defineProperty(() => 0, "name", {
      get() {
        throw new Error("no name for you");
      },
    }),
  "an object whose toString and toJSON throw": () => ({
    toString() {
      throw new Error("no text for you");
    },
    toJSON() {
      throw new Error("no JSON for you");
    },
  }),
  "an object whose only property throws when it is read": () => ({
    get secret() {
      throw new Error("no value for you");
    },
  }),
  "a symbol with line breaks": () => Symbol("a\nb\u2028c"),
  "an object with line breaks in its keys": () => ({ "a\nb\rc\u2028d\u2029e\u0085f": 1 }),
  "an object with an endless key": () => ({ ["k".repeat(1_000_000)]: 1 }),
  "a function with an endless name": () =>
    Object.defineProperty(() => 0, "name", { value: "f\n".repeat(1_000_000) }),
  "a string of ten million characters": () => "x".repeat(10_000_000),
  "a string of control characters": () => String.fromCharCode(...Array.from({ length: 160 }, (_, at) => at)),
};

for (const [what, make] of Object.entries(hostile)) {
  test(`${what} is shown on one line, shortened, and never throws`, () => {
    assertFitForMessage(show(make()));
  });
}

test("a long text ends in the mark of what is missing, a short one does not", () => {
  assert.equal(show("x".repeat(78)), `"${"x".repeat(78)}"`);
  assert.equal(show("x".repeat(79)), `"${"x".repeat(79)}…`);
  assert.equal(show("x".repeat(500)), `"${"x".repeat(79)}…`);
});

test("a text is never cut in the middle of a character", () => {
  for (let before = 70; before < 85; before++) {
    const text = show(`${"x".repeat(before)}${"😀".repeat(20)}`);
    assert.equal(Buffer.from(text).toString(), text, `after ${before} letters`);
  }
});

test("whatever the value, what is shown is one short line", () => {
  const value = fc.oneof(
    fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withUnicodeString: true,
    }),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.dictionary(fc.string({ unit: "binary", maxLength: 50 }), fc.anything()),
    fc.string({ unit: "binary" }).map((description) => Symbol(description)),
    fc.func(fc.anything()),
  );
  fc.assert(
    fc.property(value, (hidden) => assertFitForMessage(show(hidden))),
    { numRuns: 2_000 },
  );
});

function assertFitForMessage(text: string): void {
  assert.equal(typeof text, "string");
  assert.ok(text.length > 0, "something is shown");
  assert.ok(text.length <= maxChars, `${text.length} characters`);
  assert.doesNotMatch(text, /[\p{Cc}\u2028\u2029]/u);
}
