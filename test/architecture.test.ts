import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const src = join(root, "src");

/**
 * Which parts of src a part may import, besides itself and ports. A part is a folder of a room (`operations/cron`), or a room that
 * has none; a file that lies in a room itself is the room's.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  "engine/events": ["base"],
  "engine/hooks": ["base", "engine/events"],
  "engine/testing": ["base"],
  "index.ts": ["base", "engine/events", "engine/hooks"],
  net: ["base"],
  config: ["base", "engine/events", "engine/hooks", "net", "agents/adapters", "policy/rules"],
  handlers: ["base", "engine/events", "engine/hooks", "net"],
  "agents/adapters": ["base", "engine/events"],
  "agents/calls": ["base", "engine/events", "agents/adapters", "daemon/runtime", "daemon/server"],
  "agents/install": ["base", "engine/events", "config", "agents/adapters", "daemon/runtime"],
  "agents/scan": ["base", "engine/events", "policy/shell", "policy/rules"],
  "agents/verify": ["base", "handlers"],
  "policy/shell": ["base", "policy/rules"],
  "policy/rules": ["base", "engine/events", "engine/hooks", "config", "agents/adapters", "policy/shell"],
  "policy/approvers": ["base", "engine/events", "policy/approvals", "record/audit"],
  "policy/approvals": ["base", "engine/events", "config", "policy/rules", "policy/approvers"],
  "policy/trust": ["base", "engine/hooks", "config", "policy/shell"],
  "policy/plugins": [
    "base",
    "engine/events",
    "engine/hooks",
    "config",
    "handlers",
    "policy/shell",
    "policy/rules",
  ],
  "record/audit": [
    "base",
    "engine/events",
    "policy/approvers",
    "store",
    "operations/webhooks",
    "daemon/runtime",
  ],
  "record/pdf": ["base", "engine/events", "record/audit", "store"],
  store: ["base", "store/sqlite"],
  "store/sql": [],
  "store/sqlite": ["base", "store/sql"],
  operations: ["policy/approvals", "daemon/runtime"],
  "operations/cron": [
    "base",
    "engine/events",
    "config",
    "handlers",
    "policy/trust",
    "record/pdf",
    "operations",
    "operations/pipelines",
    "operations/drift",
    "operations/retention",
  ],
  "operations/batch": ["base", "engine/events", "config", "handlers", "policy/trust", "operations"],
  "operations/pipelines": [
    "base",
    "engine/events",
    "engine/hooks",
    "config",
    "handlers",
    "policy/trust",
    "operations",
  ],
  "operations/drift": ["base", "engine/events", "operations/batch", "operations/pipelines"],
  "operations/webhooks": ["base", "engine/events", "net", "config", "handlers", "daemon/runtime"],
  "operations/retention": ["base", "config", "operations/batch", "operations/drift"],
  swarm: ["base", "swarm/tasks", "swarm/agents", "swarm/mail"],
  "swarm/tasks": ["base", "engine/events"],
  "swarm/agents": ["base", "engine/events", "swarm/tasks"],
  "swarm/mail": ["base"],
  "daemon/flags": ["base", "config"],
  "daemon/access": ["base"],
  "daemon/telemetry": ["base", "engine/events", "engine/hooks", "net", "daemon/runtime", "daemon/server"],
  "daemon/rest": [
    "base",
    "engine/events",
    "record/audit",
    "daemon/access",
    "daemon/runtime",
    "daemon/server",
  ],
  "daemon/runtime": [
    "base",
    "engine/events",
    "engine/hooks",
    "net",
    "config",
    "handlers",
    "policy/rules",
    "policy/approvers",
    "policy/approvals",
    "policy/trust",
    "policy/plugins",
    "record/audit",
    "record/pdf",
    "store",
    "operations/cron",
    "operations/batch",
    "operations/pipelines",
    "operations/drift",
    "operations/webhooks",
    "operations/retention",
    "swarm",
    "daemon/flags",
    "daemon/telemetry",
  ],
  "daemon/server": [
    "base",
    "engine/events",
    "config",
    "agents/calls",
    "agents/install",
    "policy/approvers",
    "policy/approvals",
    "policy/trust",
    "record/audit",
    "operations/batch",
    "daemon/access",
    "daemon/telemetry",
    "daemon/rest",
    "daemon/runtime",
    "swarm/mcp",
  ],
};

/** Rooms whose folders are parts. */
const rooms = ["engine", "agents", "policy", "record", "store", "operations", "swarm", "daemon"];

/** What only describes data to others may be imported by all, and imports nothing but the base, the events and other ports. */
const isPort = (file: string) => file.split(/[/\\]/).includes("port");

/** Commands, routes and what they show: rows of the tables that the command line and the server collect. */
const isSurface = (file: string) =>
  /^cli[/\\]|[/\\](cli|mcp)[/\\]|[/\\]((file|lease|asker|mail)-)?routes\.ts$|[/\\](describe-(batch|drift-mark|job|pipeline|policy|protection|task|agent|message)|batch-reader)\.ts$/.test(
    file,
  );

/** Drivers are chosen by the composition root; commands and routes go through what it opened. */
const drivers = ["store", "store/sql", "store/sqlite", "handlers"];

const files = globSync("**/*.ts", { cwd: src }).filter((file) => !/\.(test|cases)\.ts$/.test(file));
const imports = files.flatMap((file) =>
  importsOf(readFileSync(join(src, file), "utf8")).map((specifier) => ({ file, specifier })),
);

test("every part of src imports only the parts it may, and ports", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    const target = targetOf(file, specifier);
    if (target === null || isPort(target)) return false;
    const [own, other] = [partOf(file), partOf(target)];
    if (isPort(file)) return !["base", "engine/events"].includes(other);
    if (isSurface(file)) return drivers.includes(other);
    return other !== own && allowed[own]?.includes(other) !== true;
  });
  assert.deepEqual(wrong, []);
});

test("commands and routes are imported by the command line, the server and each other only", () => {
  const collectors = ["cli", "daemon/server", "daemon/rest"];
  const wrong = imports.filter(({ file, specifier }) => {
    const target = targetOf(file, specifier);
    if (target === null || !isSurface(target)) return false;
    return !isSurface(file) && !collectors.includes(partOf(file));
  });
  assert.deepEqual(wrong, []);
});

test("ARCHITECTURE.md has the enforced table, and the files it names exist", () => {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` \| .* \| ([^|]+) \|$/gm)].map(([, part = "", may = ""]) => [
    part,
    may === "nothing of ours" ? [] : may.split(", "),
  ]);
  assert.deepEqual(Object.fromEntries(rows), allowed);
  const named = [...page.matchAll(/`((?:src|native|docs|test)\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  assert.ok(named.length > 30, "the paths are named by their files");
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test("an agent's call is read in at most twelve files, each named once and in order", () => {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const [, section = ""] = /^## An agent's call\n(.*?)^## /ms.exec(page) ?? [];
  const steps = [...section.matchAll(/^(\d+)\. (.*(?:\n {2,}.*)*)/gm)];
  const paths = steps.flatMap(([, , text = ""]) =>
    [...text.matchAll(/`((?:src|native)\/[\w./-]+)`/g)].map(([, path]) => path),
  );
  assert.deepEqual(
    steps.map(([, number]) => Number(number)),
    paths.map((_, at) => at + 1),
    "one file a step",
  );
  assert.equal(new Set(paths).size, paths.length);
  assert.ok(paths.length >= 8 && paths.length <= 12, `${paths.length} files`);
});

test("functions, classes and members that ARCHITECTURE.md names are declared in the sources", () => {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const paths = page.slice(page.indexOf("## One event, step by step"));
  const names = [...paths.matchAll(/`(?:[A-Z]\w+\.)?([A-Za-z]\w+)`/g)].map(([, name = ""]) => name);
  assert.ok(names.length > 10, "the steps are named by their functions");
  const sources = globSync("**/*.ts", { cwd: src })
    .map((file) => readFileSync(join(src, file), "utf8"))
    .join("\n");
  const isDeclared = (name: string) =>
    new RegExp(
      `\\b(?:function|class|interface|type|const) ${name}\\b|^ +(?:async |readonly )?#?${name}[(:<?]`,
      "m",
    ).test(sources);
  assert.deepEqual(
    [...new Set(names)].filter((name) => !isDeclared(name) && !existsSync(join(src, name))),
    [],
  );
});

test("a kind of handler imports no other kind", () => {
  // Shared: what starts programs, and what speaks Claude Code's language.
  const kindOf = (file: string) => file.split(/[/\\]/)[1] ?? "";
  const wrong = imports.filter(({ file, specifier }) => {
    const target = targetOf(file, specifier);
    if (partOf(file) !== "handlers" || target === null) return false;
    return partOf(target) === "handlers" && ![kindOf(file), "process", "claude"].includes(kindOf(target));
  });
  assert.deepEqual(wrong, []);
});

test("every part of src has its row in the architecture", () => {
  const parts = new Set(files.filter((file) => !isPort(file) && !isSurface(file)).map(partOf));
  assert.deepEqual([...parts].sort(), Object.keys(allowed).sort());
});

test("the engine is made of web standards: nothing of Node's, nothing from npm", () => {
  const reached = new Set(["index.ts", "engine/events/index.ts", "engine/testing/index.ts"]);
  const wrong: { file: string; specifier: string }[] = [];
  for (const file of reached) {
    for (const { specifier } of imports.filter((one) => one.file === file)) {
      const target = targetOf(file, specifier);
      if (target === null) wrong.push({ file, specifier });
      else reached.add(target);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(reached.size > 50, `${reached.size} files`);
});

test("source files stay short enough to be read at once", () => {
  const long = files.filter((file) => readFileSync(join(src, file), "utf8").split("\n").length > 400);
  assert.deepEqual(long, []);
});

function partOf(file: string): string {
  const [room = "", folder = "", ...rest] = file.split(/[/\\]/);
  return rooms.includes(room) && rest.length > 0 ? `${room}/${folder}` : room;
}

/** Where in src an import leads; null for what is not ours. */
function targetOf(file: string, specifier: string): string | null {
  return specifier.startsWith(".") ? relative(src, resolve(src, dirname(file), specifier)) : null;
}

/** Static imports, exports from, and type imports in expressions: `import("x")`. */
function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import\s+|(?:import|export)\b[^;]*?\bfrom\s+)"([^"]+)"/gm);
  const expressions = text.matchAll(/(?<!typeof )\bimport\(\s*"([^"]+)"\s*\)/g);
  return [...statements, ...expressions].map((match) => match[1] ?? "");
}
