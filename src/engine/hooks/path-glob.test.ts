import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compilePathGlob } from "./path-glob.ts";

const cwd = "/srv/project";

interface Case {
  readonly glob: string;
  readonly matches?: readonly string[];
  readonly passes?: readonly string[];
}

const cases: readonly Case[] = [
  {
    glob: "src/*.ts",
    matches: ["src/a.ts", "./src/a.ts", "src//a.ts", "/srv/project/src/a.ts", "src/lib/../a.ts"],
    passes: ["src/lib/a.ts", "a.ts", "src/a.js", "/src/a.ts", "lib/src/a.ts", "src", "src/a.ts/b"],
  },
  {
    glob: "src/**",
    matches: ["src/a", "src/a/b/c", "src", "src/", "/srv/project/src/a", "lib/../src/a"],
    passes: ["lib/a", "srcs/a", "../src/a", "/src/a", "src/../lib/a"],
  },
  {
    glob: "**/*.env",
    matches: ["a.env", ".env", "x/y/.env", "/srv/project/deep/er/prod.env"],
    passes: ["a.env/b", "/etc/prod.env", "../a.env", "a.environment"],
  },
  {
    glob: "secrets/**/key",
    matches: ["secrets/key", "secrets/a/key", "secrets/a/b/key", "secrets/key/key"],
    passes: ["secrets", "secrets/a", "key", "secrets/a/keys", "secrets/key/a"],
  },
  {
    glob: "**/a/**/b/**",
    matches: ["a/b", "x/a/y/b/z", "a/a/b/b", "b/a/b"],
    passes: ["b/a", "a", "x/ab/c"],
  },
  { glob: "**", matches: ["a", "a/b", ".", "/srv/project"], passes: ["..", "/srv", "/etc/passwd"] },
  { glob: "*", matches: ["a", "./a"], passes: ["a/b", ".", ".."] },
  { glob: "*/*", matches: ["a/b"], passes: ["a", "a/b/c"] },
  { glob: "a*c/x", matches: ["abc/x", "ac/x"], passes: ["a/c/x", "abc/x/y"] },
  { glob: "./src/./a", matches: ["src/a"], passes: ["a"] },
  {
    glob: "/etc/**",
    matches: ["/etc/passwd", "/etc/ssh/config", "/etc", "../../etc/passwd", "/srv/../etc/x"],
    passes: ["etc/passwd", "/etcetera", "/srv/etc/x"],
  },
  {
    glob: "/srv/project/src/*",
    matches: ["src/a", "/srv/project/src/a", "../project/src/a"],
    passes: ["a", "/srv/project/src/a/b", "/srv/other/src/a"],
  },
  { glob: "/**/id_rsa", matches: ["id_rsa", "/root/.ssh/id_rsa", "/id_rsa"], passes: ["id_rsa.pub"] },
  { glob: "Makefile", matches: ["Makefile", "/srv/project/Makefile"], passes: ["makefile", "a/Makefile"] },
];

for (const { glob, matches = [], passes = [] } of cases) {
  test(`the path glob ${glob} matches what it says and nothing else`, () => {
    const isMatch = compilePathGlob("hook x", glob);
    for (const path of matches) assert.equal(isMatch(path, cwd), true, path);
    for (const path of passes) assert.equal(isMatch(path, cwd), false, path);
  });
}

test("a path is judged as what it resolves to, not as what it is written as", () => {
  const isSecret = compilePathGlob("hook x", "secrets/**");
  for (const path of [
    "src/../secrets/key",
    "./secrets/./key",
    "secrets/../secrets/key",
    "../project/secrets/key",
  ]) {
    assert.equal(isSecret(path, cwd), true, path);
  }
  const isSource = compilePathGlob("hook x", "src/**");
  for (const path of ["src/../secrets/key", "src/../../project/secrets/key", "src/../../../etc/passwd"]) {
    assert.equal(isSource(path, cwd), false, path);
  }
});

test("a relative glob follows the working directory of the event", () => {
  const isMatch = compilePathGlob("hook x", "src/*");
  assert.equal(isMatch("/a/src/x", "/a"), true);
  assert.equal(isMatch("/a/src/x", "/b"), false);
  assert.equal(isMatch("src/x", "/b"), true);
  assert.equal(isMatch("src/x", "/"), true);
  assert.equal(isMatch("src/x", "/a/"), true);
});

test("a folder whose name begins like the working directory's is outside of it", () => {
  const isMatch = compilePathGlob("hook x", "**");
  assert.equal(isMatch("/srv/project-2/a", cwd), false);
  assert.equal(isMatch("../project-2/a", cwd), false);
});

/** A guard that can never match must not load as if it could. */
const climbing: readonly (readonly [glob: string, path: string])[] = [
  ["../shared/**", "/srv/shared/key"],
  ["../shared/**", "../shared/key"],
  ["src/../secrets/*", "secrets/key"],
  ["/srv/x/../shared/*", "/srv/shared/key"],
];

for (const [glob, path] of climbing) {
  test(`the path glob ${glob} matches ${path}, or is an error when it is loaded`, () => {
    let isMatch: ReturnType<typeof compilePathGlob>;
    try {
      isMatch = compilePathGlob("hook x", glob);
    } catch (error) {
      assert.equal((error as { code?: string }).code, "SWARM_MATCHER_INVALID");
      return;
    }
    assert.equal(isMatch(path, cwd), true);
  });
}

for (const glob of ["", "src/[ab]", "src/?.ts", "{a,b}/c", "src/(x)", "a\\+b", "src/a||b"]) {
  test(`the path glob ${JSON.stringify(glob)} is an error when it is loaded`, () => {
    assert.throws(() => compilePathGlob("hook x: when.path", glob), {
      code: "SWARM_MATCHER_INVALID",
      message: /^hook x: when\.path: matcher /,
    });
  });
}

test("a hostile path glob and path take steps of one times the other at most", () => {
  const isMatch = compilePathGlob("hook x", `${"**/a/".repeat(200)}b`);
  assert.equal(isMatch("a/".repeat(5_000), cwd), false);
});

const names = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 2 });
const segments = fc.oneof(
  names,
  fc.constant("**"),
  fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 3 }),
);

test("a path glob matches exactly what the definition of * and ** says", () => {
  fc.assert(
    fc.property(
      fc.array(segments, { minLength: 1, maxLength: 6 }),
      fc.array(names, { maxLength: 7 }),
      (glob, path) => {
        const expected = isPathMatch(glob, path);
        const written = path.join("/") || ".";
        assert.equal(compilePathGlob("hook x", glob.join("/"))(written, cwd), expected, "relative");
        const absolute = compilePathGlob("hook x", `${cwd}/${glob.join("/")}`);
        assert.equal(absolute(`${cwd}/${path.join("/")}`, "/elsewhere"), expected, "absolute");
      },
    ),
    { numRuns: 5_000 },
  );
});

/** By the definition: the rest of the glob against the rest of the path. */
function isPathMatch(glob: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return path.length === 0;
  if (first === "**") return isPathMatch(rest, path) || (path.length > 0 && isPathMatch(glob, path.slice(1)));
  const [name, ...below] = path;
  return name !== undefined && isNameMatch(first, name) && isPathMatch(rest, below);
}

function isNameMatch(glob: string, name: string): boolean {
  if (glob === "") return name === "";
  if (glob[0] === "*")
    return isNameMatch(glob.slice(1), name) || (name !== "" && isNameMatch(glob, name.slice(1)));
  return name[0] === glob[0] && name !== "" && isNameMatch(glob.slice(1), name.slice(1));
}
