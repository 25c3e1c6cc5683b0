// The product on the oldest Node that package.json allows: `npm run test:oldest`. Installs it into a cache below node_modules.
// End to end, because what is published is JavaScript; the tests themselves have their types stripped by an option.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const oldest = `${engines.node.replace(">=", "")}.0`;
const folder = join(root, "node_modules/.cache", `node-${oldest}`);
const node = join(folder, "node_modules/node/bin/node");
const suites = [
  "approvals",
  "batch",
  "client",
  "cron",
  "daemon",
  "drift",
  "hooks",
  "install",
  "load",
  "pipelines",
  "plugins",
  "policy",
  "reinstall",
  "swarm",
  "trust",
  "webhook-faults",
  "webhooks",
];

if (!existsSync(node)) install();
const files = ["src/store/sqlite/sqlite-store.test.ts", ...suites.map((name) => `test/e2e/${name}.test.ts`)];
const { status } = spawnSync(node, ["scripts/test.ts", ...files], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    NODE_OPTIONS: "--experimental-strip-types --disable-warning=ExperimentalWarning",
  },
});
process.exitCode = status ?? 1;

function install(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, allowScripts: { node: true } }),
  );
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", `node@${oldest}`];
  spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
}
