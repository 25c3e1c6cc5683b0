// Makes a fresh clone ready: dependencies, build, and for tests the system tools the suite runs.
// Plain JavaScript without dependencies, because it runs before anything is installed and on whatever
// Node the machine has; `npm ci` then brings the Node that the other scripts run on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const installStamp = join(root, "node_modules", ".swarm-install");
const buildStamp = join(root, "dist", ".swarm-build");

/** What the tests start by name, and the Debian package that has it. */
const testTools = [{ command: "git", debianPackage: "git" }];

setUp(process.argv.includes("--for-tests"));

function setUp(forTests) {
  const lock = digest(["package.json", "package-lock.json"]);
  if (read(installStamp) !== lock) {
    say("installing dependencies (npm ci)");
    run("npm", ["ci", "--no-audit", "--no-fund"]);
    write(installStamp, lock);
  }
  const sources = digest([
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "src",
  ]);
  if (read(buildStamp) !== sources) {
    say("building");
    run("npm", ["run", "--silent", "build"]);
    write(buildStamp, sources);
  }
  if (forTests) installMissing(testTools.filter((tool) => !isOnPath(tool.command)));
}

function installMissing(tools) {
  if (tools.length === 0) return;
  const packages = tools.map((tool) => tool.debianPackage);
  const mayInstall = process.getuid?.() === 0 && isOnPath("apt-get");
  if (!mayInstall) fail(`the tests need ${packages.join(", ")}: install with your system's package manager`);
  say(`installing ${packages.join(", ")}`);
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", ...packages]);
}

/** One hash over names and contents: unlike times, it survives a checkout and a copied folder. */
function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((name) => filesBelow(join(root, name)))) {
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

function isOnPath(command) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)));
}

function run(command, args) {
  // npm is a .cmd file on Windows, which only a shell can start; no argument here comes from outside.
  const ended = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (ended.status !== 0) {
    fail(
      `\`${command} ${args.join(" ")}\` ended with ${ended.error?.message ?? ended.signal ?? ended.status}`,
    );
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function write(path, text) {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

function say(message) {
  process.stderr.write(`setup: ${message}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
