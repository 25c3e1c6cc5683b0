// Compiles the client for the platforms that have a package of it: static, the same bytes from the same compiler wherever it
// runs. Settings are put in by `swarm install`. Plain JavaScript, because it makes what the packages are published with.
//
//   node scripts/build-clients.mjs [PLATFORM...] [--into FOLDER]     then: npm publish packages/client-PLATFORM/dist
//
// What is published is a folder of its own: npm refuses a workspace whose `os` and `cpu` are another machine's.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const source = join(root, "native", "swarm-hook.c");
/** As `client-settings.ts` expects it. */
const settingsRoom = 32 * 1024;

/** Compilers by platform, the one whose programs start fastest first, and the Debian package that has one. */
const platforms = {
  "linux-x64": {
    compilers: [...(process.arch === "x64" ? ["musl-gcc"] : []), "x86_64-linux-gnu-gcc"],
    debianPackage: process.arch === "x64" ? "musl-tools" : "gcc-x86-64-linux-gnu",
  },
  "linux-arm64": {
    compilers: [...(process.arch === "arm64" ? ["musl-gcc"] : []), "aarch64-linux-gnu-gcc"],
    debianPackage: process.arch === "arm64" ? "musl-tools" : "gcc-aarch64-linux-gnu",
  },
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { into: { type: "string" } } });
for (const platform of positionals.length > 0 ? positionals : Object.keys(platforms)) {
  const workspace = join(root, "packages", `client-${platform}`);
  const folder =
    values.into === undefined ? join(workspace, "dist") : join(values.into, `client-${platform}`);
  const program = join(folder, "swarm-hook");
  const compiler = build(platform, program);
  describe(platform, workspace, folder);
  const bytes = readFileSync(program);
  const digest = createHash("sha256").update(bytes).digest("hex");
  process.stderr.write(`${platform}: ${bytes.length} bytes by ${compiler}, SHA-256 ${digest}\n`);
}

function build(platform, program) {
  const known = platforms[platform];
  if (known === undefined)
    fail(`${platform} is no platform of a package: ${Object.keys(platforms).join(", ")}`);
  for (const compiler of known.compilers) {
    const ended = compile(compiler, program);
    if (ended.error?.code === "ENOENT") continue;
    if (ended.status !== 0)
      fail(`${compiler} ended with ${ended.error?.message ?? ended.signal ?? ended.status}`);
    return compiler;
  }
  return fail(
    `${platform} needs ${known.compilers.join(" or ")}: on Debian apt install ${known.debianPackage}`,
  );
}

/** The files beside the program: npm installs it where `os` and `cpu` fit, and nowhere else. */
function describe(platform, workspace, folder) {
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8"));
  const [os, cpu] = platform.split("-");
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ ...manifest, os: [os], cpu: [cpu] }, null, 2)}\n`,
  );
  copyFileSync(join(workspace, "README.md"), join(folder, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

function compile(compiler, program) {
  mkdirSync(dirname(program), { recursive: true });
  const made = `${program}.${process.pid}`;
  const sources = `-ffile-prefix-map=${root}=.`;
  const flags = ["-std=c11", "-O2", "-D_GNU_SOURCE", "-static", "-s", "-Wl,--build-id=none", sources];
  const room = `-DSWARM_SETTINGS_ROOM=${settingsRoom}`;
  try {
    const ended = spawnSync(compiler, [...flags, room, source, "-o", made], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (ended.status === 0) {
      chmodSync(made, 0o755);
      renameSync(made, program);
    }
    return ended;
  } finally {
    rmSync(made, { force: true });
  }
}

function fail(message) {
  process.stderr.write(`build-clients: ${message}\n`);
  process.exit(1);
}
