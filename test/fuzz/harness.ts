import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import fc from "fast-check";

/** Texts that went wrong somewhere before. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    "__proto__",
    "constructor",
    "\0",
    "\ud800",
    "..",
    "../../etc/passwd",
    "/",
    "/dev/null",
    "-1",
    "1e999",
    "NaN",
    "'; drop table run_events; --",
    "<script>",
    `${"$"}{HOME}`,
    "$(id)",
    "\r\nx: y",
    "x".repeat(5_000),
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 40 }),
);

/** JSON of any shape, with those texts as names and values. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53),
      hostileText,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(hostileText, tie("value"), { maxKeys: 4 }),
    ),
  })).value,
  fc.constant(deep(500)),
);

export function deep(levels: number): unknown {
  let value: unknown = 0;
  for (let n = 0; n < levels; n++) value = [value];
  return value;
}

/** Fails the test when a promise is rejected that nobody looks at. */
export function watchRejections(t: TestContext): void {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", note);
  t.after(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    assert.deepEqual(rejections, []);
  });
}
