import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { AgentProgram } from "../../src/agents/verify/agents/agent-program.ts";
import { agentPrograms } from "../../src/agents/verify/agents/agent-programs.ts";

/** The versions everything that is said of these agents was seen with. */
const packages = {
  "claude-code": "@anthropic-ai/claude-code@2.1.326",
  codex: "@openai/codex@0.169.0",
  "gemini-cli": "@google/gemini-cli@0.61.0",
  "qwen-code": "@qwen-code/qwen-code@0.24.4",
  copilot: "@github/copilot@1.0.102",
  opencode: "opencode-ai@1.18.33",
} as const;

export type RealAgent = keyof typeof packages;

/** PATH with the Node these agents need first. */
export const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

export function versionOf(agent: RealAgent): string {
  return packages[agent].replace(/^.*@/, "");
}

/** Installs the real program once, into a folder that is kept: 100 to 500 MB each. */
export function installAgent(agent: RealAgent): string {
  const from = packages[agent];
  const cache = process.env.SWARM_AGENTS_CACHE ?? join(tmpdir(), "swarm-agents");
  const folder = join(cache, from.replace(/^@[^/]+\//, ""));
  if (!existsSync(folder)) install(folder, from);
  return join(folder, "node_modules/.bin", programOf(agent).program);
}

/** How `swarm verify` runs it. */
export function programOf(agent: RealAgent): AgentProgram {
  const profile = agentPrograms[agent];
  if ("unprovable" in profile) throw new Error(profile.unprovable);
  return profile;
}

/** Under another name until it is whole: a run that was interrupted leaves nothing that looks installed. */
function install(folder: string, from: string): void {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  // npm installs into the nearest folder above that has one of these.
  writeFileSync(join(unfinished, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", from];
  execFileSync("npm", args, { cwd: unfinished, env: { ...process.env, PATH: path }, stdio: "inherit" });
  renameSync(unfinished, folder);
}
