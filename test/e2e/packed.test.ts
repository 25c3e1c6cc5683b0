import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, suite, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const shell = process.platform === "win32";
const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-packed-")));
after(() => rmSync(folder, { recursive: true }));

/** What npm would install from these packages, without asking a registry: their dependencies are those of this clone. */
const modules = join(folder, "node_modules");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};
for (const name of Object.keys(dependencies)) {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(join(root, "node_modules", name), join(modules, name));
}
const installed = install(root, "swarm-hooks");
const files = globSync("**/*", { cwd: installed }).filter((file) => statSync(join(installed, file)).isFile());

function install(from: string, name: string): string {
  const options = ["--json", "--ignore-scripts", "--pack-destination", folder];
  const packed = execFileSync("npm", ["pack", ...options], {
    cwd: from,
    shell,
    encoding: "utf8",
    stdio: "pipe",
  });
  const [{ filename } = { filename: "" }] = Object.values(JSON.parse(packed)) as { filename: string }[];
  const into = join(modules, name);
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", into, "--strip-components=1"]);
  return into;
}

/** A user with Claude Code's settings, and a PATH with nothing but Node on it. */
function user(name: string) {
  const home = join(folder, name);
  const [swarm, project, bin] = [join(home, ".swarm"), join(home, "project"), join(home, "bin")];
  for (const made of [join(home, ".claude"), swarm, project, bin]) mkdirSync(made, { recursive: true });
  symlinkSync(process.execPath, join(bin, "node"));
  const env = { PATH: bin, HOME: home, SWARM_HOME: swarm };
  const run = (program: string, args: readonly string[], input = "") => {
    const ended = spawnSync(program, args, { cwd: project, env, encoding: "utf8", input });
    return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  };
  const swarmCommand = (...args: string[]) => run(process.execPath, [join(installed, "bin/swarm"), ...args]);
  return { swarm, project, client: join(swarm, "bin/swarm-hook"), run, swarmCommand };
}

test("the package is small, and has no tests, maps or compiled Python", () => {
  const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
  assert.ok(files.length > 200 && files.length < 550, `${files.length} files`);
  assert.ok(bytes < 11_000_000, `${bytes} bytes`);
  assert.deepEqual(
    files.filter((file) => /\.map$|\.test\.|\.cases\.|__pycache__|^src\/|^test\//.test(file)),
    [],
  );
});

test("npx swarm-hooks is a command of the package, and works in an empty folder", { skip: shell }, () => {
  // What npx does once it has the package: it links its commands and starts the one that has the package's name.
  const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  assert.deepEqual(Object.keys(bin), ["swarm", "swarm-hooks"]);
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const [name, path] of Object.entries(bin)) {
    chmodSync(join(installed, path), 0o755);
    symlinkSync(join("../swarm-hooks", path), join(modules, ".bin", name));
  }
  const { project, swarm } = user("npx");
  const npx = (...args: string[]) => {
    const env = {
      // Without the settings of the npm that runs the tests: it warns of those it does not know.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name))),
      HOME: dirname(swarm),
      SWARM_HOME: join(dirname(swarm), "none"),
      npm_config_offline: "true",
      CLAUDE_CONFIG_DIR: undefined,
      CODEX_HOME: undefined,
    };
    const ended = spawnSync("npx", ["swarm-hooks", ...args], { cwd: project, env, encoding: "utf8" });
    return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  };
  const scanned = npx("scan");
  assert.deepEqual([scanned.status, scanned.stderr], [0, ""]);
  assert.match(scanned.stdout, /transcript/);
  assert.equal(existsSync(join(dirname(swarm), "none")), false, "a scan makes no folder");
});

test("each program that is started in a thread or a process of its own is in the package", () => {
  const started = globSync("**/*.ts", { cwd: join(root, "src") }).flatMap((file) =>
    [
      ...readFileSync(join(root, "src", file), "utf8").matchAll(
        /`(?:\.\/)?([\w-]+)\$\{(?:extension|extname|ownExtension)/g,
      ),
    ].map(([, name = ""]) => join("dist", dirname(file), `${name}.js`)),
  );
  assert.ok(started.length >= 5, started.join(" "));
  assert.deepEqual(
    started.filter((file) => !files.includes(file)),
    [],
  );
});

test("every link in the packed documents leads to a file of the package", () => {
  const documents = files.filter((file) => file.endsWith(".md"));
  assert.ok(documents.length > 60);
  const broken: string[] = [];
  let count = 0;
  for (const document of documents) {
    const text = readFileSync(join(installed, document), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
    for (const [, address = ""] of text.matchAll(/\]\(<?([^)\s>]+)>?\)/g)) {
      if (/^(https?:|mailto:|#)/.test(address)) continue;
      count++;
      const [path = ""] = address.split("#");
      if (!existsSync(join(installed, dirname(document), path))) broken.push(`${document}: ${address}`);
    }
  }
  assert.ok(count > 150, `${count} links`);
  assert.deepEqual(broken, []);
});

test("an example that a packed document names is in the package", () => {
  const missing = files
    .filter((file) => file.endsWith(".md") && !file.startsWith("docs/adr/"))
    .flatMap((document) =>
      [...readFileSync(join(installed, document), "utf8").matchAll(/\bexamples\/[\w./-]*\w/g)].map(
        ([path]) => `${document}: ${path}`,
      ),
    )
    .filter((named) => !existsSync(join(installed, named.split(": ")[1] ?? "")));
  assert.deepEqual(missing, []);
});

test("without its package a PDF is refused before anything is written, with what to install; with it, it is made", () => {
  const { project, swarmCommand } = user("pdf");
  const order = ["audit", "pdf", "--days", "1", "--output", "r.pdf"];
  const refused = swarmCommand(...order);
  assert.match(refused.stderr, /PDFs need the package @swarm-hooks\/pdf.*npm install -g @swarm-hooks\/pdf/);
  assert.deepEqual([refused.status, existsSync(join(project, "r.pdf"))], [65, false]);
  const job = [
    "--name",
    "report",
    "--schedule",
    "0 3 1 * *",
    "--task",
    "audit_pdf",
    "--config",
    '{"days":31}',
  ];
  const made = swarmCommand("cron", "create", ...job);
  assert.equal(made.status, 0, made.stderr);
  assert.match(swarmCommand("doctor").stdout, /report.*PDFs need the package @swarm-hooks\/pdf/s);

  mkdirSync(join(modules, "@swarm-hooks"), { recursive: true });
  symlinkSync(join(root, "packages/pdf"), join(modules, "@swarm-hooks/pdf"));
  const { status, stderr } = swarmCommand(...order);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.equal(readFileSync(join(project, "r.pdf")).subarray(0, 5).toString(), "%PDF-");
  assert.doesNotMatch(swarmCommand("doctor").stdout, /PDFs need the package/);
});

const platform = `${process.platform}-${process.arch}`;
const buildClients = (into: string) =>
  spawnSync(process.execPath, [join(root, "scripts/build-clients.mjs"), platform, "--into", into], {
    encoding: "utf8",
  });
const built = buildClients(join(folder, "built"));
const skip = built.status === 0 ? false : built.stderr.trim() || "no client can be built here";

suite("the packed client", { skip }, () => {
  const packageName = `@swarm-hooks/client-${platform}`;
  const from = join(folder, "built", `client-${platform}`);
  const call =
    '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo forbidden"}}';

  test("is the same bytes wherever it is built, and fits no other platform", () => {
    assert.equal(buildClients(join(folder, "elsewhere", "again")).status, 0);
    const again = join(folder, "elsewhere", "again", `client-${platform}`, "swarm-hook");
    assert.ok(readFileSync(join(from, "swarm-hook")).equals(readFileSync(again)));
    const {
      os,
      cpu,
      version,
      private: isPrivate,
    } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
    const main = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    assert.deepEqual([os, cpu, isPrivate], [[process.platform], [process.arch], undefined]);
    assert.deepEqual([version, main.optionalDependencies[packageName]], [main.version, main.version]);
  });

  test("denies where nobody has put settings into it", () => {
    for (const args of [[], ["claude", "--guard"]]) {
      const { status, stderr } = spawnSync(join(from, "swarm-hook"), args, { encoding: "utf8", input: call });
      assert.deepEqual([status, /no settings: run swarm install/.test(stderr)], [2, true]);
    }
  });

  test("is what swarm install takes where there is no compiler: static, at work, and known to doctor", () => {
    const without = user("without");
    assert.equal(without.swarmCommand("install", "claude-code", "--yes").status, 0);
    assert.equal(readFileSync(without.client).subarray(0, 2).toString(), "#!");

    install(from, packageName);
    const { swarm, client, run, swarmCommand } = user("with");
    const guard = { event: "tool.before", type: "command", name: "guard", mode: "guard", on_failure: "deny" };
    const hooks = [{ ...guard, command: "case $(/bin/cat) in *forbidden*) exit 2;; esac" }];
    writeFileSync(join(swarm, "config.yaml"), JSON.stringify({ auto_start: false, hooks }));
    const { status, stdout, stderr } = swarmCommand("install", "claude-code", "--yes");
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stdout + stderr, /compiler|LD_PRELOAD/);
    assert.equal(readFileSync(client).subarray(1, 4).toString(), "ELF");
    // An interpreter is what a program names that has to be loaded by another.
    assert.ok(!readFileSync(client).includes("/ld-"));

    const denied = run(client, ["claude-code", "--guard"], call);
    assert.equal(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision, "deny", denied.stderr);
    const allowed = run(client, ["claude-code", "--guard"], call.replace("forbidden", "fine"));
    assert.deepEqual([allowed.status, /deny/.test(allowed.stdout)], [0, false], allowed.stderr);

    assert.doesNotMatch(swarmCommand("doctor").stdout, /not the program that swarm install made/);
    chmodSync(client, 0o755);
    writeFileSync(client, Buffer.concat([readFileSync(client), Buffer.from("x")]));
    assert.match(swarmCommand("doctor").stdout, /swarm-hook is not the program that swarm install made/);
  });
});
