import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Workplace } from "./workplace.ts";

test("the MCP server of a verification has one tool, which makes a file in the project and nowhere else", async (t) => {
  const place = new Workplace();
  t.after(() => place.remove());
  const [program, ...args] = place.server.argv;
  const server = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => server.kill());
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (method: string, params: object = {}) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: method, method, params })}\n`);
    return JSON.parse((await answers.next()).value ?? "null");
  };
  const { result } = await ask("initialize", { protocolVersion: "2025-06-18" });
  assert.equal(result.protocolVersion, "2025-06-18");
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const listed = await ask("tools/list");
  assert.deepEqual(
    listed.result.tools.map(({ name }: { name: string }) => name),
    [place.server.tool],
  );
  const call = { name: place.server.tool, arguments: { text: `../${place.sentinel.fileOf("mcp")}` } };
  assert.equal(place.hasRun("mcp"), false);
  await ask("tools/call", call);
  assert.equal(place.hasRun("mcp"), true);
  assert.equal(existsSync(`${dirname(place.project)}/${place.sentinel.fileOf("mcp")}`), false);
  assert.equal((await ask("resources/list")).error.code, -32_601);
});
