import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { resolvePath } from "./resolve-path.ts";

const names = fc.constantFrom("a", "b", "..", ".", "", "C:", "...", "a b", "é");
const path = (separator: fc.Arbitrary<string>, start: fc.Arbitrary<string>) =>
  fc
    .tuple(start, fc.array(fc.tuple(names, separator), { maxLength: 6 }))
    .map(([first, parts]) => first + parts.flat().join(""));
const cut = (absolute: string) => absolute.split(/[/\\]/).filter((part) => part !== "" && part !== ".");

test("a path is what Node's path.posix makes of it", {
  skip: process.platform === "win32" && "a path of Windows",
}, () => {
  const slash = fc.constantFrom("/", "/", "//", "\\");
  const cwds = path(slash, fc.constantFrom("/", "/", "/home/", "work/", ""));
  fc.assert(
    fc.property(cwds, path(slash, fc.constantFrom("", "/", "../", "x")), (cwd, given) => {
      fc.pre(!/^([a-z]:[/\\]|[/\\]{2}[^/\\])/i.test(cwd));
      assert.deepEqual(resolvePath(cwd, given), cut(posix.resolve(cwd, given)));
    }),
    { numRuns: 5_000 },
  );
});

test("from a folder of Windows a path is what Node's path.win32 makes of it", () => {
  const slash = fc.constantFrom("/", "\\");
  const cwds = path(slash, fc.constantFrom("C:\\", "d:/", "C:\\work\\", "\\\\server\\share\\"));
  fc.assert(
    fc.property(
      cwds,
      path(slash, fc.constantFrom("", "\\", "/", "..\\", "c:x", "C:\\", "d:\\", "x")),
      (cwd, given) => {
        // Another drive has a folder of its own, which only Windows knows.
        fc.pre(!/^[a-z]:(?![/\\])/i.test(given) || /^c:/i.test(cwd));
        fc.pre(!/^[/\\]{2}/.test(given));
        const expected = cut(win32.resolve(cwd, given)).map((part) => part.toLowerCase());
        assert.deepEqual(
          resolvePath(cwd, given).map((part) => part.toLowerCase()),
          expected,
        );
      },
    ),
    { numRuns: 5_000 },
  );
});

test("another drive and another machine have nothing of the folder one is in", () => {
  assert.deepEqual(resolvePath("C:\\work", "d:x"), ["d:", "x"]);
  assert.deepEqual(resolvePath("C:\\work", "\\\\server\\share"), ["server", "share"]);
  assert.deepEqual(resolvePath("C:\\work", "\\\\server\\share\\..\\.."), ["server", "share"]);
});
