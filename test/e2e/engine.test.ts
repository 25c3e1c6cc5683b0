import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createContext, Script } from "node:vm";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");
const shell = process.platform === "win32";

/** A project that has installed the packed engine and nothing else. */
const project = mkdtempSync(join(tmpdir(), "swarm-engine-"));
after(() => rmSync(project, { recursive: true }));
const installed = join(project, "node_modules/@swarm-hooks/engine");
writeFileSync(join(project, "package.json"), '{"type":"module"}');
npm(["pack", "--workspace", "@swarm-hooks/engine", "--ignore-scripts", "--pack-destination", project], root);
const [packed = ""] = globSync("*.tgz", { cwd: project });
npm(["install", "--offline", "--no-audit", "--no-fund", `./${packed}`], project);

function npm(args: readonly string[], cwd: string): void {
  execFileSync("npm", args, { cwd, shell, stdio: "pipe" });
}

function run(code: string) {
  const args = ["--input-type=module", "--eval", code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  return { stdout, stderr };
}

test("the engine installed alone has no dependency and less than 150 kB", () => {
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as { packages: object };
  assert.deepEqual(Object.keys(lock.packages).sort(), ["", "node_modules/@swarm-hooks/engine"]);
  const sizes = globSync("**/*", { cwd: installed }).map((file) => statSync(join(installed, file)));
  const bytes = sizes.filter((one) => one.isFile()).reduce((sum, { size }) => sum + size, 0);
  assert.ok(bytes > 50_000 && bytes < 150_000, `${bytes} bytes`);
  const version = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  assert.equal(version(installed), version(root));
});

test("nothing it is made of asks for a module of Node's or a package", async () => {
  const entries = ["@swarm-hooks/engine", "@swarm-hooks/engine/events", "@swarm-hooks/engine/testing"];
  const { metafile } = await bundled(entries.map((entry) => `export * from "${entry}";`).join("\n"));
  const inputs = Object.entries(metafile.inputs);
  assert.ok(inputs.length > 3);
  for (const [file, { imports }] of inputs) {
    assert.match(file, /^(node_modules\/@swarm-hooks\/engine\/dist\/|<stdin>)/);
    assert.deepEqual(
      imports.filter((one) => one.external === true),
      [],
    );
  }
});

test("it denies and observes where there are the web's globals and no others", async () => {
  const { text } = await bundled(`import { createHooks, deny } from "@swarm-hooks/engine";
    const hooks = createHooks();
    hooks.on("tool.before", { match: "write_*", when: { path: "src/**" } }, async () => deny("read only"));
    const told = [];
    hooks.on("tool.before", { mode: "observe", onDenied: true }, (data, call) => {
      told.push(data.tool_name, call.signal.aborted);
    });
    const input = { tool_name: "write_file", tool_input: { file_path: "/repo/docs/../src/a.ts" } };
    export const ran = (async () => {
      const { decision, id } = await hooks.emit("tool.before", input, { cwd: "/repo" });
      await hooks.close();
      return [decision.reason, id, ...told];
    })();`);
  const web = {
    AbortController,
    clearTimeout,
    console,
    crypto,
    performance,
    setTimeout,
    TextDecoder,
    TextEncoder,
  };
  const ran = await (new Script(`${text}; engine.ran`).runInContext(createContext(web)) as Promise<unknown>);
  const [reason, id, ...told] = ran as string[];
  assert.deepEqual([reason, ...told], ["read only", "write_file", false]);
  assert.match(id ?? "", /^evt_[0-9a-z]{9}[0-9a-f]{20}$/);
});

test("its warnings are the console's where there is no Node", async () => {
  const { text } = await bundled(`import { createHooks } from "@swarm-hooks/engine";
    const hooks = createHooks();
    hooks.on("tool.before", { name: "broken" }, () => 42);
    export const ran = hooks.emit("tool.before", { tool_name: "Bash", tool_input: {} });`);
  const warned: unknown[] = [];
  const web = {
    clearTimeout,
    console: { warn: (...words: unknown[]) => warned.push(words) },
    crypto,
    performance,
    setTimeout,
    TextDecoder,
    TextEncoder,
  };
  await new Script(`${text}; engine.ran`).runInContext(createContext(web));
  assert.deepEqual(warned, [
    [
      "SwarmHooksWarning: hook broken answered 42, expected an answer or nothing",
      '{"code":"SWARM_ANSWER_INVALID","hook":"broken","event":"tool.before"}',
    ],
  ]);
});

test("a regular expression is refused without re2js, with what to do, and works once that is installed", () => {
  const code = `import { createHooks } from "@swarm-hooks/engine";
    const hooks = createHooks();
    try {
      hooks.on("tool.before", { name: "x", match: "/^write_/" }, () => undefined);
      console.log(hooks.list().length);
    } catch (error) {
      console.log(error.code, error.message);
    }`;
  const told =
    'SWARM_REGEX_UNAVAILABLE hook x on tool.before: matcher "/^write_/" is a regular expression, which needs the package re2js: npm install re2js\n';
  assert.deepEqual(run(code), { stdout: told, stderr: "" });
  const link = join(project, "node_modules/re2js");
  symlinkSync(join(root, "node_modules/re2js"), link, "junction");
  assert.deepEqual(run(code), { stdout: "1\n", stderr: "" });
  rmSync(link);
});

test("its types are whole: a program compiles against them alone, and a wrong payload does not", () => {
  writeFileSync(
    join(project, "program.ts"),
    `import { createHooks, deny, SwarmError, type ErrorCode } from "@swarm-hooks/engine";
import { eventNames } from "@swarm-hooks/engine/events";
import { manualClock } from "@swarm-hooks/engine/testing";
const hooks = createHooks({ clock: manualClock() });
hooks.on("tool.before", { match: "write_*" }, (data) => deny(data.tool_name.toUpperCase()));
export const code = (error: unknown): ErrorCode | null => (error instanceof SwarmError ? error.code : null);
export const names: readonly string[] = eventNames;
// @ts-expect-error tool_input is missing
void hooks.emit("tool.before", { tool_name: "Bash" });
`,
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const options = [
    "--noEmit",
    "--strict",
    "--target",
    "es2023",
    "--lib",
    "es2023,dom",
    "--module",
    "nodenext",
  ];
  const args = [tsc, ...options, "--types", "", "--skipLibCheck", "false", "program.ts"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  assert.equal(stdout, "");
});

async function bundled(contents: string) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: project,
    stdin: { contents, resolveDir: project },
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "engine",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return { metafile, text: outputFiles[0]?.text ?? "" };
}
