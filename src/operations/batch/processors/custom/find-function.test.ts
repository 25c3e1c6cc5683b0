import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { findFunction, type Runtime, splitFunction } from "./find-function.ts";

function folder(t: TestContext, files: readonly string[]): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-find-")));
  t.after(() => rmSync(made, { recursive: true }));
  for (const file of files) {
    mkdirSync(dirname(join(made, file)), { recursive: true });
    writeFileSync(join(made, file), "");
  }
  return made;
}

const nobody = async () => false;

test("a module is told from its function at the last colon", () => {
  assert.deepEqual(splitFunction("./a:b.ts:run"), { module: "./a:b.ts", name: "run" });
  assert.deepEqual(splitFunction("pkg.mod:func"), { module: "pkg.mod", name: "func" });
  assert.deepEqual(splitFunction("@acme/score:größe"), { module: "@acme/score", name: "größe" });
  for (const text of ["", ":", "x:", ":x", "x", "x:1y", "x:a b", "x:a.b", "\0:x"])
    assert.equal(splitFunction(text), null, text);
});

test("whose a function is follows from what is there", async (t) => {
  const files = [
    "score.ts",
    "score.mjs",
    "score.py",
    "pkg/mod.py",
    "pkg/__init__.py",
    "sub/deep/x.cjs",
    "node_modules/left/package.json",
  ];
  const cwd = folder(t, [...files, "node_modules/@acme/right/index.js"]);
  const found = async (text: string, from = cwd): Promise<readonly [Runtime, string]> => {
    const { runtime, module } = await findFunction(text, "auto", from, nobody);
    return [runtime, module];
  };
  assert.deepEqual(await found("./score.ts:f"), ["node", join(cwd, "score.ts")]);
  assert.deepEqual(await found("score.mjs:f"), ["node", join(cwd, "score.mjs")]);
  assert.deepEqual(await found("sub/deep/x.cjs:f"), ["node", join(cwd, "sub/deep/x.cjs")]);
  assert.deepEqual(await found(`${join(cwd, "score.py")}:f`), ["python", join(cwd, "score.py")]);
  assert.deepEqual(await found("score:f"), ["python", "score"]);
  assert.deepEqual(await found("pkg.mod:f"), ["python", "pkg.mod"]);
  assert.deepEqual(await found("pkg:f"), ["python", "pkg"]);
  assert.deepEqual(await found("left:f", join(cwd, "sub")), ["node", "left"]);
  assert.deepEqual(await found("@acme/right/more:f"), ["node", "@acme/right/more"]);
  assert.deepEqual(await findFunction("os.path:join", "auto", cwd, async (name) => name === "os"), {
    runtime: "python",
    module: "os.path",
    function: "join",
  });
});

test("who runs it can be said", async (t) => {
  const cwd = folder(t, ["score.py", "node_modules/score/index.js"]);
  await assert.rejects(findFunction("score:f", "auto", cwd, nobody), {
    code: "SWARM_BATCH_FUNCTION_UNKNOWN",
    message: `module "score" is not one: it is both ${join(cwd, "score.py")} and the package ${join(cwd, "node_modules/score")}; set runtime to node or python`,
  });
  assert.equal((await findFunction("score:f", "python", cwd, nobody)).runtime, "python");
  assert.equal((await findFunction("score:f", "node", cwd, nobody)).runtime, "node");
});

test("what is not found is told by where it was looked for", async (t) => {
  const cwd = folder(t, ["notes.txt"]);
  const refused = (text: string, message: string) =>
    assert.rejects(findFunction(text, "auto", cwd, nobody), {
      code: "SWARM_BATCH_FUNCTION_UNKNOWN",
      message,
    });
  await refused("./score.ts:f", `module "./score.ts" is not one: there is no file ${join(cwd, "score.ts")}`);
  await refused(
    "./notes.txt:f",
    `module "./notes.txt" is not one: ${join(cwd, "notes.txt")} is neither JavaScript, TypeScript nor Python by its name`,
  );
  await refused(
    "pkg.mod:f",
    `module "pkg.mod" is not one: there is no ${join(cwd, "pkg/mod.py")}; there is no ${join(cwd, "pkg/mod/__init__.py")}; no package of this name in node_modules of ${cwd} or above; Python knows no module of this name`,
  );
});
