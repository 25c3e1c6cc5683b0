import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const src = join(root, "src");

/** Which folders of src a folder may import, besides itself. `index.ts` stands for the package's entry point. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  events: ["base"],
  ports: ["base", "events"],
  hooks: ["base", "events", "ports"],
  net: ["base"],
  approvers: ["base", "ports"],
  permissions: ["base", "events", "hooks", "ports", "approvers"],
  config: ["base", "events", "hooks", "ports", "permissions", "net"],
  handlers: ["base", "events", "ports", "net"],
  adapters: ["base", "events", "ports"],
  audit: ["base", "events", "ports", "approvers"],
  "audit-pdf": ["base", "events", "ports", "audit"],
  store: ["base", "events", "ports"],
  testing: ["base"],
  cron: ["base", "events", "ports"],
  drift: ["base", "events", "ports"],
  pipelines: ["base", "events", "ports", "hooks", "handlers"],
  tasks: ["base", "events", "ports", "handlers", "drift", "audit-pdf"],
  batch: ["base", "events", "ports"],
  processors: ["base", "events", "ports", "handlers"],
  trust: ["base", "events", "ports", "config", "hooks"],
  webhooks: ["base", "events", "ports", "net"],
  telemetry: ["base", "events", "ports", "net"],
  install: ["base", "events", "ports", "config"],
  plugins: ["base", "events", "ports", "hooks", "config"],
  runtime: [
    "base",
    "events",
    "ports",
    "net",
    "hooks",
    "approvers",
    "permissions",
    "config",
    "plugins",
    "handlers",
    "adapters",
    "install",
    "audit",
    "audit-pdf",
    "store",
    "trust",
    "webhooks",
    "telemetry",
    "cron",
    "pipelines",
    "drift",
    "tasks",
    "batch",
    "processors",
  ],
  verify: ["base", "events", "ports", "handlers"],
  scan: ["base", "events", "ports", "permissions"],
  server: [
    "base",
    "events",
    "ports",
    "approvers",
    "permissions",
    "config",
    "audit",
    "audit-pdf",
    "runtime",
    "telemetry",
    "trust",
  ],
  cli: [
    "base",
    "events",
    "ports",
    "net",
    "hooks",
    "approvers",
    "permissions",
    "config",
    "adapters",
    "audit",
    "audit-pdf",
    "runtime",
    "install",
    "plugins",
    "batch",
    "server",
    "verify",
    "scan",
    "trust",
  ],
  "index.ts": ["base", "events", "hooks"],
};

/** Folders the embedded engine is made of: they may import nothing from npm. */
const dependencyFree = ["base", "events", "ports", "hooks", "testing", "index.ts"];

const files = globSync("**/*.ts", { cwd: src }).filter((file) => !/\.(test|cases)\.ts$/.test(file));
const imports = files.flatMap((file) =>
  importsOf(readFileSync(join(src, file), "utf8")).map((specifier) => ({ file, specifier })),
);

test("every folder of src imports only the folders below it", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    if (!specifier.startsWith(".")) return false;
    const target = areaOf(relative(src, resolve(src, dirname(file), specifier)));
    const own = areaOf(file);
    return target !== own && allowed[own]?.includes(target) !== true;
  });
  assert.deepEqual(wrong, []);
});

test("a kind of handler imports no other kind", () => {
  // Shared: what starts programs, and what speaks Claude Code's language.
  const kindOf = (file: string) => file.split(/[/\\]/)[1] ?? "";
  const wrong = imports.filter(({ file, specifier }) => {
    if (areaOf(file) !== "handlers" || !specifier.startsWith(".")) return false;
    const target = relative(src, resolve(src, dirname(file), specifier));
    return areaOf(target) === "handlers" && ![kindOf(file), "process", "claude"].includes(kindOf(target));
  });
  assert.deepEqual(wrong, []);
});

test("every folder of src has its place in the architecture", () => {
  assert.deepEqual([...new Set(files.map(areaOf))].sort(), Object.keys(allowed).sort());
});

test("the engine imports nothing from npm", () => {
  const wrong = imports.filter(
    ({ file, specifier }) => dependencyFree.includes(areaOf(file)) && !/^(\.|node:)/.test(specifier),
  );
  assert.deepEqual(wrong, []);
});

test("source files stay short enough to be read at once", () => {
  const long = files.filter((file) => readFileSync(join(src, file), "utf8").split("\n").length > 400);
  assert.deepEqual(long, []);
});

function areaOf(file: string): string {
  return file.split(/[/\\]/)[0] ?? "";
}

/** Static imports, exports from, and type imports in expressions: `import("x")`. */
function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"/gm);
  const expressions = text.matchAll(/(?<!typeof )\bimport\(\s*"([^"]+)"\s*\)/g);
  return [...statements, ...expressions].map((match) => match[1] ?? "");
}
