import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rowOf } from "../../engine/events/names.ts";
import { denied, literal, samplePayload, subjectOf } from "./sample.ts";
import type { NewHook, Scaffold } from "./scaffold.ts";

/** A function in the host's own process: typed by its event, registered by code. */
export function functionHook(hook: NewHook): Scaffold {
  const extension = isCommonJs(process.cwd()) ? "mts" : "ts";
  const file = `hooks/${hook.name}.${extension}`;
  const test = `hooks/${hook.name}.test.${extension}`;
  // Older releases of Node 22 run TypeScript only when they are told to.
  const node = process.features.typescript === false ? "node --experimental-strip-types" : "node";
  return {
    files: [
      { path: file, text: hookText(hook) },
      { path: test, text: testText(hook, extension) },
    ],
    entry: null,
    test: `${node} --test ${test}`,
    next: [
      `embed it: import { register } from "./${file}", then register(hooks) with the hooks of createHooks()`,
    ],
  };
}

function hookText({ event, name }: NewHook): string {
  const { when, matches } = rowOf(event);
  const match = matches === null ? "" : 'match: "*", ';
  return `import { deny, type Handler, type Hooks, type Undo } from "swarm-hooks";

/** Called for ${event}: when ${when}. */
export const handler: Handler<"${event}", "guard"> = (data) => {
  if (String(${subjectOf(event)}).includes("${denied}")) return deny("${name} does not allow this");
  return undefined; // no opinion
};

/** Adds the hook to an engine. What it returns removes the hook again. */
export function register(hooks: Hooks): Undo {
  return hooks.on("${event}", { name: "${name}", ${match}mode: "guard", onFailure: "deny" }, handler);
}
`;
}

function testText({ event, name }: NewHook, extension: string): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { createHooks } from "swarm-hooks";
import { register } from "./${name}.${extension}";

const hooks = createHooks();
register(hooks);

test("${name} lets pass what it has nothing against", async () => {
  const { decision } = await hooks.emit("${event}", ${literal(samplePayload(event, "fine"))});
  assert.equal(decision.verdict, "none");
});

test("${name} denies, and says why", async () => {
  const { decision } = await hooks.emit("${event}", ${literal(samplePayload(event, denied))});
  const { verdict, hook, reason } = decision;
  assert.deepEqual([verdict, hook, reason], ["deny", "${name}", "${name} does not allow this"]);
});
`;
}

/** Where a package says it is CommonJS, Node reads a .ts file as that: an import in it is a syntax error. */
function isCommonJs(folder: string): boolean {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).type === "commonjs";
  } catch {
    // None here, or none that can be read: Node looks one folder further up too.
    return folder !== dirname(folder) && isCommonJs(dirname(folder));
  }
}
