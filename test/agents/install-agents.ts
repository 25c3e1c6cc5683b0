import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The versions everything that is said of these agents was seen with. */
export const packages = {
  claude: "@anthropic-ai/claude-code@2.1.325",
  codex: "@openai/codex@0.166.0",
} as const;

/** PATH with the Node these agents need first. */
export const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Installs the real programs once, into a folder that is kept: some 700 MB. */
export function installAgents(): Record<keyof typeof packages, string> {
  const folder = join(process.env.SWARM_AGENTS_CACHE ?? join(tmpdir(), "swarm-agents"), versions());
  if (!existsSync(folder)) install(folder);
  const bin = join(folder, "node_modules/.bin");
  return { claude: join(bin, "claude"), codex: join(bin, "codex") };
}

function versions(): string {
  return Object.values(packages)
    .map((name) => name.replace(/^@[^/]+\//, ""))
    .join("+");
}

/** Under another name until it is whole: a run that was interrupted leaves nothing that looks installed. */
function install(folder: string): void {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  // npm installs into the nearest folder above that has one of these.
  writeFileSync(join(unfinished, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...Object.values(packages)];
  execFileSync("npm", args, { cwd: unfinished, env: { ...process.env, PATH: path }, stdio: "inherit" });
  renameSync(unfinished, folder);
}
