import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { endStartedDaemons } from "./started-daemons.ts";

const bin = join(import.meta.dirname, "../../bin/swarm");

test("with hooks_enabled off, verify says so and how to turn it on, and not to install", (t) => {
  const home = mkdtempSync(join(tmpdir(), "swarm-verify-off-"));
  t.after(async () => {
    await endStartedDaemons(join(home, ".swarm"));
    rmSync(home, { recursive: true });
  });
  mkdirSync(join(home, ".claude"));
  mkdirSync(join(home, ".swarm"));
  // It is found, and would fail to be an agent if it were run.
  const env = { PATH: process.env.PATH, HOME: home, SWARM_VERIFY_CLAUDE: "/bin/false" };
  const swarm = (...args: string[]) =>
    spawnSync(process.execPath, [bin, ...args], { cwd: home, env, encoding: "utf8", input: "" });
  assert.equal(swarm("install", "claude-code", "--yes").status, 0);
  writeFileSync(join(home, ".swarm/config.yaml"), "hooks_enabled: false\n");
  const off = swarm("verify", "claude-code", "--json");
  const [report] = JSON.parse(off.stdout) as { verdict: string; what_to_do: string }[];
  assert.deepEqual([off.status, report?.verdict], [1, "INERT"]);
  assert.match(
    report?.what_to_do ?? "",
    /^hooks are switched off: .*permission rules go on judging; .*swarm flags set hooks_enabled on/,
  );
  assert.doesNotMatch(report?.what_to_do ?? "", /install/);
  assert.match(swarm("verify", "claude-code").stdout, /INERT +- +hooks are switched off/);
  assert.equal(swarm("flags", "set", "hooks_enabled", "on").status, 0);
  const on = JSON.parse(swarm("verify", "claude-code", "--json").stdout) as { what_to_do: string }[];
  assert.doesNotMatch(on[0]?.what_to_do ?? "", /switched off/);
});
