// The real agents, from npm: `npm run test:agents [-- gemini-cli copilot …]`. Too heavy for `npm test`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "test", "agents");
const all = [
  "claude-code-and-codex",
  "gemini-cli",
  "qwen-code",
  "copilot",
  "opencode",
  "tool-names",
  "typed-input",
  "output",
  "own-settings",
  "try",
  "swarm-tools",
];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no tests for ${unknown.join(", ")}, expected ${all.join(", ")}\n`);
  process.exit(64);
}
// One after the other: each of them takes the machine for itself.
const files = (wanted.length === 0 ? all : wanted).map((name) => join(folder, `${name}.ts`));
const { status } = spawnSync(process.execPath, ["--test", "--test-concurrency=1", ...files], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
