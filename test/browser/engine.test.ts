import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { openBrowser, withoutBrowser } from "./harness.ts";

const program = `import { createHooks, deny, useRegexEngine } from "@swarm-hooks/engine";
  import { RE2JS } from "re2js";
  globalThis.run = async () => {
    const hooks = createHooks();
    const codes = [];
    const guard = () => hooks.on("tool.before", { match: "/^write_(a+)+$/" }, async () => deny("read only"));
    try { guard() } catch (error) { codes.push(error.code) }
    useRegexEngine(RE2JS);
    guard();
    hooks.on("tool.before", { timeoutMs: 50, mode: "guard", name: "slow" }, () => new Promise(() => undefined));
    const told = [];
    hooks.on("tool.before", { mode: "observe", onDenied: true }, (data) => void told.push(data.tool_name));
    const emit = async (tool_name) => (await hooks.emit("tool.before", { tool_name, tool_input: {} })).decision;
    const decisions = [await emit("write_aaa"), await emit("read")];
    await hooks.close();
    return { codes, told, decisions: decisions.map(({ verdict, reason }) => [verdict, reason]) };
  };`;

test("the engine runs in a browser: guards, deadlines, observers, regular expressions handed over", {
  skip: withoutBrowser,
}, async (t) => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: join(import.meta.dirname, "../..") },
    bundle: true,
    platform: "browser",
    format: "iife",
    write: false,
    logLevel: "silent",
  });
  const page = await (await openBrowser(t)).newPage();
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
  const ran = await page.evaluate(() => (globalThis as unknown as { run(): Promise<unknown> }).run());
  assert.deepEqual(ran, {
    codes: ["SWARM_REGEX_UNAVAILABLE"],
    told: ["write_aaa", "read"],
    decisions: [
      ["deny", "read only"],
      ["none", null],
    ],
  });
});
