// Makes a fresh clone ready: dependencies, build, and for tests the system tools the suite runs.
// Plain JavaScript without dependencies, because it runs before anything is installed and on whatever
// Node the machine has; `npm ci` then brings the Node that the other scripts run on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const installStamp = join(root, "node_modules", ".swarm-install");
const buildStamp = join(root, "dist", ".swarm-build");

/** What the tests start by name, and the Debian package that has it. */
const testTools = [{ command: "git", debianPackage: "git" }];
/** Not for every test: without it those in a browser are skipped, and say so. */
const browser = { command: "chromium", debianPackage: "chromium" };

setUp([
  ...(process.argv.includes("--for-tests") ? testTools : []),
  ...(process.argv.includes("--for-browser-tests") ? [...testTools, browser] : []),
]);

function setUp(tools) {
  whenStale(installStamp, dependencies(), () => {
    say("installing dependencies (npm ci)");
    installDependencies();
    linkOwnCommands();
  });
  const sources = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "policies",
    "scripts/build.mjs",
    "scripts/build-beside.mjs",
    "scripts/bundle.mjs",
    "scripts/keep-reached.mjs",
    "src",
    "dashboard",
    "packages/engine/build.mjs",
    "packages/engine/package.json",
    "packages/engine/tsconfig.json",
  ];
  whenStale(buildStamp, digest(sources), () => {
    say("building");
    run("npm", ["run", "--silent", "build"]);
  });
  installMissing(tools.filter((tool) => !isOnPath(tool.command)));
}

/**
 * npm warns of each package that wants a newer Node than the one npm itself runs on. Nothing is run on that one: the scripts
 * have the Node of `node_modules`, and test/repository.test.ts holds the packages' demands against it. On a Node that is new
 * enough for us, every warning is shown.
 */
function installDependencies() {
  const isOlder = isOlderThan(manifest().engines?.node);
  const isKept = (line) => !isOlder || !/^npm warn EBADENGINE/i.test(line);
  run("npm", ["ci", "--no-audit", "--no-fund"], isKept);
  if (isOlder)
    say(`npm runs on Node ${process.versions.node}; what is built here runs on that of node_modules`);
}

/** `range` is of the form >=22.13, as ours is. */
function isOlderThan(range = ">=0.0") {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [neededMajor, neededMinor] = range.replace(">=", "").split(".").map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}

/** npx runs a command it finds here at once; otherwise it installs the clone into its cache first, with warnings of its own. */
function linkOwnCommands() {
  if (process.platform === "win32") return; // npm starts commands by files of another kind there
  for (const [name, path] of Object.entries(manifest().bin ?? {})) {
    const link = join(root, "node_modules/.bin", name);
    mkdirSync(join(link, ".."), { recursive: true });
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(join("../..", path), link);
  }
}

function manifest() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}

/** What npm installs from; scripts and other fields may change without a new install. */
function dependencies() {
  const { bin, dependencies, devDependencies, optionalDependencies, workspaces } = manifest();
  const declared = JSON.stringify([bin, dependencies, devDependencies, optionalDependencies, workspaces]);
  return createHash("sha256")
    .update(declared)
    .update(digest(["package-lock.json"]))
    .digest("hex");
}

/** Does the work unless the stamp says it was done for what is there now. */
function whenStale(stamp, wanted, work) {
  if (read(stamp) === wanted) return;
  alone(() => {
    if (read(stamp) === wanted) return; // another process has done it meanwhile
    work();
    write(stamp, wanted);
  });
}

/** Two installations at once remove each other's files. A lock whose process is gone does not count. */
function alone(work) {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const lock = join(tmpdir(), `swarm-setup-${name}.lock`);
  while (!tryLock(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const release = () => {
    if (read(lock) === String(process.pid)) rmSync(lock, { force: true });
  };
  process.on("exit", release); // also when the work fails and ends the process
  work();
  release();
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isRunning(Number(read(lock)))) rmSync(lock, { force: true });
    return false;
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
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

/** Without `isKept` everything is shown as it comes; with it, the lines that it takes are shown at the end. */
function run(command, args, isKept) {
  // npm is a .cmd file on Windows, which only a shell can start; no argument here comes from outside.
  const ended = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, isKept === undefined ? 2 : "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  if (isKept !== undefined) {
    const lines = (ended.stderr ?? "").split("\n");
    process.stderr.write((ended.status === 0 ? lines.filter(isKept) : lines).join("\n"));
  }
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
