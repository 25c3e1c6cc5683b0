import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "swarm-package-"));
after(() => rmSync(folder, { recursive: true }));

function node(code: string, cwd: string) {
  const args = ["--input-type=module", "--eval", code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the package's entry points export what is promised", () => {
  const code = `
    const names = async (path) => Object.keys(await import(path)).sort().join(" ");
    console.log(await names("swarm-hooks"));
    console.log(await names("swarm-hooks/events"));
    console.log(await names("swarm-hooks/testing"));`;
  assert.deepEqual(node(code, root), {
    status: 0,
    stdout: [
      "SwarmError allow ask context createHooks defer deny rewrite stop useRegexEngine validatePayload",
      "canonicalName catalog commonTool envelopeSchema eventNames outcomeSchema payloadSchema validatePayload verdicts",
      "manualClock",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("the engine works with no dependency installed", () => {
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  const code = `
    import { createHooks, deny } from "swarm-hooks";
    const hooks = createHooks();
    hooks.on("tool.before", { match: "write_*" }, () => deny("read only"));
    console.log(hooks.emit("tool.before", { tool_name: "write_file", tool_input: {} }).decision.reason);`;
  assert.deepEqual(node(code, folder), { status: 0, stdout: "read only\n", stderr: "" });
});

test("the daemon has no second form of what the package exports: a function of the user's meets the errors it throws", () => {
  const has = (name: string, text: string) =>
    readFileSync(join(root, "dist/bundle", name, "main.js"), "utf8").includes(text);
  const ofTheEngine = "Two hooks of one engine have the same name";
  assert.deepEqual(
    [has("daemon", ofTheEngine), has("daemon", '"../../base/swarm-error.js"'), has("cli", ofTheEngine)],
    [false, true, true],
  );
});

test("bundles are strict, and of short lines: Node prints the one that threw", () => {
  for (const file of globSync("**/*.js", { cwd: join(root, "dist/bundle") })) {
    const text = readFileSync(join(root, "dist/bundle", file), "utf8");
    const longest = Math.max(...text.split("\n").map(({ length }) => length));
    // A text of the program's own is not broken.
    assert.ok(longest < 5_000, `${file}: ${longest}`);
    const isModule = file.startsWith("daemon");
    assert.ok(isModule || /^(\(function\([\w,]*\)\{)?"use strict";/.test(text), file);
  }
});

test("the published files are the build, its docs and schemas, and no tests", () => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const [packed] = Object.values(JSON.parse(stdout)) as { files: { path: string }[] }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  for (const path of [
    "bin/swarm",
    "bin/package.json",
    "dist/index.js",
    "dist/index.d.ts",
    "dist/dashboard/index.html",
    "dist/dashboard/app.js",
    "dist/dashboard/passkeys.js",
    "dist/dashboard/app.css",
    "docs/events.md",
    "README.md",
  ]) {
    assert.ok(paths.includes(path), `${path} is missing`);
  }
  assert.deepEqual(
    paths.filter((path) => /\.test\.|\.cases\.|^src\/|^test\/|^dashboard\//.test(path)),
    [],
  );
});

test("the dashboard is small enough to be there at once", () => {
  const bytes = ["app.js", "app.css", "index.html"].map(
    (file) => statSync(join(root, "dist/dashboard", file)).size,
  );
  assert.ok(bytes.reduce((sum, size) => sum + size) < 72 * 1024, bytes.join(" + "));
});

test("the embedded example prints what it shows", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "examples/embedded/main.ts")], {
    encoding: "utf8",
  });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  assert.match(
    stdout,
    /the guard stops a force-push: {2}\{\s+status: 'skipped_by_hook',\s+hook: 'no-force-push'/,
  );
  assert.match(
    stdout,
    /the transform masks a number: {2}\{ content: 'card XXXX-XXXX-XXXX-XXXX', lines: 1 \}/,
  );
});

test("the example of MCP tools shows each of its hooks at work, and leaves nothing behind", () => {
  const home = mkdtempSync(join(folder, "tmp-"));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "examples/mcp-hooks/main.ts")], {
    encoding: "utf8",
    env: { ...process.env, TMPDIR: home },
  });
  const left = readdirSync(home).filter((name) => name.startsWith("swarm-"));
  assert.deepEqual({ status, stderr, left }, { status: 0, stderr: "", left: [] });
  const kept =
    "{ role: 'system', content: 'important: never push to main' },\n    { role: 'user', content: 'hello' }";
  const [mine = "", other = "", said = ""] = stdout.split(/^(?=Another|the server)/m);
  assert.ok(mine.startsWith("MyAgent goes on with") && mine.includes(kept), mine);
  assert.match(mine, /context: \{ system_info: \{ platform: '\w+', message_count: 2 \} \}/);
  assert.ok(other.includes(kept) && other.includes("context: { turn: 1 }"), other);
  assert.deepEqual(said.match(/agent \w+ \w+ \d messages/g), [
    "agent started with 2 messages",
    "agent started with 2 messages",
    "agent ended after 2 messages",
  ]);
});

test("the engine's entry point stays small", () => {
  // Everything the entry point loads, as built and without comments: 130 kB when this limit was set, much of it
  // the texts of the events and of the engine's own errors. Those of other parts, 60 kB, and the forms of secrets, 40 kB, are
  // not loaded here.
  const loaded = node(
    `import { registerHooks } from "node:module";
     const seen = new Set();
     registerHooks({ load(url, context, next) { seen.add(url); return next(url, context); } });
     await import("swarm-hooks");
     console.log(JSON.stringify([...seen].filter((url) => url.startsWith("file:"))));`,
    root,
  );
  const urls = JSON.parse(loaded.stdout) as string[];
  const bytes = urls.map(
    (url) => readFileSync(new URL(url), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "").length,
  );
  assert.ok(urls.length > 10);
  assert.ok(
    bytes.reduce((sum, size) => sum + size, 0) < 140_000,
    `${bytes.reduce((sum, size) => sum + size, 0)} bytes`,
  );
});
