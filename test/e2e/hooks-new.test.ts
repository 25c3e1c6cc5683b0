import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { writeFiles } from "../../src/cli/hooks-new/write-files.ts";
import { scaffolds } from "../../src/cli/hooks-new.ts";
import { eventNames } from "../../src/engine/events/names.ts";

const root = join(import.meta.dirname, "../..");
const top = realpathSync(mkdtempSync(join(tmpdir(), "swarm-hooks-new-")));
after(() => rmSync(top, { recursive: true }));

/** A test inside a test would report to ours instead of running; the rest is what a user has. */
const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
const env = {
  ...inherited,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  SWARM_HOME: join(top, "home"),
};

/** An empty project that has swarm-hooks installed. */
function project(manifest: object = { type: "module" }): string {
  const folder = mkdtempSync(join(top, "project-"));
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", "swarm-hooks"));
  symlinkSync(join(root, "node_modules", "@types"), join(folder, "node_modules", "@types"));
  symlinkSync(join(root, "bin", "swarm"), join(folder, "node_modules", ".bin", "swarm"));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
}

function run(cwd: string, program: string, args: readonly string[] = []) {
  // The deadline is for a program that listens where it should have ended: nobody else would end it.
  const options = { cwd, encoding: "utf8", env, timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { status, stdout, stderr };
}

const swarm = (cwd: string, ...args: string[]) =>
  run(cwd, process.execPath, [join(root, "bin/swarm"), ...args]);

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => !/^(node_modules|package\.json)/.test(file))
    .sort();

/** Runs tests of node:test and returns how many there were and how many failed. */
function runTests(cwd: string, ...args: string[]) {
  const { stdout, stderr } = run(cwd, process.execPath, ["--test", "--test-reporter=tap", ...args]);
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(stdout)?.[1]);
  const counts = { passed: count("pass"), failed: count("fail") };
  if (counts.failed !== 0) process.stderr.write(stdout + stderr);
  return counts;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A tool's, a task's, and one without anything to match. */
const someEvents = ["tool.failed", "task.created", "prompt.submit"];

for (const kind of ["command", "script", "blocking_script"]) {
  for (const event of someEvents) {
    test(`the test of a new ${kind} for ${event} passes as it stands, once the hook is approved`, () => {
      const folder = project();
      assert.equal(swarm(folder, "hooks", "new", event, "--kind", kind, "--name", "no-rm").status, 0);
      assert.equal(swarm(folder, "trust", "--yes").status, 0);
      const expected = { status: 0, stdout: "no-rm: ok\n", stderr: "" };
      assert.deepEqual(run(folder, join(folder, "hooks/no-rm.test.sh")), expected);
    });
  }
}

test("the test of a new command fails when the hook does not work", () => {
  const folder = project();
  swarm(folder, "hooks", "new", "tool.before", "--name", "no-rm");
  writeFileSync(join(folder, "hooks/no-rm.sh"), "#!/bin/sh\nexit 0\n");
  assert.equal(swarm(folder, "trust", "--yes").status, 0);
  assert.deepEqual(run(folder, join(folder, "hooks/no-rm.test.sh")), {
    status: 1,
    stdout: "",
    stderr: "no-rm: expected the status denied; is the hook in swarm.yaml, and approved with swarm trust?\n",
  });
});

test("new functions compile and pass their tests, for every event", () => {
  const folder = project();
  const before = process.cwd();
  process.chdir(folder);
  for (const [index, event] of eventNames.entries()) {
    const hook = { event, kind: "function", name: `hook-${index}`, place: "./" };
    writeFiles(scaffolds.function?.(hook).files ?? []);
  }
  process.chdir(before);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = { ...strict, module: "nodenext", target: "es2023", types: ["node"], noEmit: true };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true, skipLibCheck: true },
      include: ["hooks"],
    }),
  );
  const tsc = join(root, "node_modules/.bin/tsc");
  assert.deepEqual(run(folder, tsc), { status: 0, stdout: "", stderr: "" });
  const counts = runTests(folder, "--test-isolation=none", "hooks/*.test.ts");
  assert.deepEqual(counts, { passed: 2 * eventNames.length, failed: 0 });
});

test("a new function says how it is tested and embedded, and needs no swarm.yaml", () => {
  const folder = project();
  const { stdout } = swarm(folder, "hooks", "new", "PreToolUse", "--kind", "function", "--name", "no-rm");
  assert.equal(
    stdout,
    [
      "wrote hooks/no-rm.ts, hooks/no-rm.test.ts",
      "test it: node --test hooks/no-rm.test.ts",
      'embed it: import { register } from "./hooks/no-rm.ts", then register(hooks) with the hooks of createHooks()',
      "",
    ].join("\n"),
  );
  assert.deepEqual(filesOf(folder), ["hooks", "hooks/no-rm.test.ts", "hooks/no-rm.ts"]);
  assert.deepEqual(runTests(folder, "hooks/no-rm.test.ts"), { passed: 2, failed: 0 });
});

test("a new function runs where the package is CommonJS, too", () => {
  const folder = project({ type: "commonjs" });
  const { stdout } = swarm(folder, "hooks", "new", "tool.before", "--kind", "function", "--json");
  assert.equal(JSON.parse(stdout).test, "node --test hooks/guard-tool-before.test.mts");
  assert.deepEqual(runTests(folder, "hooks/guard-tool-before.test.mts"), { passed: 2, failed: 0 });
});

for (const [kind, tests] of Object.entries({ http: 3, webhook: 4, mcp_tool: 4 })) {
  test(`the counterpart of a new ${kind} passes its tests`, () => {
    const folder = project({});
    for (const [index, event] of someEvents.entries()) {
      const { status } = swarm(folder, "hooks", "new", event, "--kind", kind, "--name", `hook-${index}`);
      assert.equal(status, 0);
    }
    const counts = runTests(folder, "hooks/*.test.mjs");
    assert.deepEqual(counts, { passed: tests * someEvents.length, failed: 0 });
  });
}

test("a new mcp_tool is called by its hook, and its server is gone afterwards", () => {
  const folder = project({});
  const home = mkdtempSync(join(top, "home-"));
  swarm(folder, "hooks", "new", "prompt.submit", "--kind", "mcp_tool", "--name", "no-rm");
  // As the user's own: nobody has to be asked.
  renameSync(join(folder, "swarm.yaml"), join(home, "config.yaml"));
  renameSync(join(folder, "hooks"), join(home, "hooks"));
  const args = ["hooks", "test", "prompt.submit", "--input", '{"prompt": "hello"}', "--json"];
  const options = { cwd: folder, encoding: "utf8", env: { ...env, SWARM_HOME: home } } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "bin/swarm"), ...args], options);
  assert.equal(stderr, "");
  const { data, handlers } = JSON.parse(stdout);
  assert.deepEqual(data, { prompt: "hello", context: { noted_by: "no-rm" } });
  assert.deepEqual([handlers[0].name, handlers[0].status], ["no-rm", "completed"]);
  const folders = globSync("/proc/[0-9]*/cwd").flatMap((link) => {
    try {
      return readlinkSync(link);
    } catch {
      return []; // gone meanwhile, or somebody else's
    }
  });
  assert.equal(folders.includes(home), false);
});

test("below a swarm.yaml that is there, a new mcp_tool says what goes under mcp_servers", () => {
  const folder = project({});
  writeFileSync(join(folder, "swarm.yaml"), "hooks: []\n");
  const { stdout } = swarm(folder, "hooks", "new", "Stop", "--kind", "mcp_tool", "--name", "no-rm");
  assert.match(
    stdout,
    /add to swarm\.yaml:\n\n {2}- event: turn\.end\n[\s\S]*and under mcp_servers:\n\n {2}no-rm: \{ command: node, args: \["\.\/hooks\/no-rm\.mjs"\] \}\n/,
  );
});

test("a new webhook's receiver takes the delivery that Standard Webhooks publish as an example", async () => {
  const folder = project();
  swarm(folder, "hooks", "new", "task.failed", "--kind", "webhook");
  const clock = "data:text/javascript,Date.now=()=>1614265330000";
  const receiver = spawn(process.execPath, ["--import", clock, "hooks/notify-task-failed.mjs"], {
    cwd: folder,
    env: { ...env, PORT: "0", WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: receiver.stdout }), "line");
  const deliver = async (signature: string) => {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": signature,
    };
    const request = { method: "POST", headers, body: '{"test": 2432232314}' };
    return (await fetch(String(line).replace("listening on ", ""), request)).status;
  };
  const known = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  const statuses = [
    await deliver(`v1,${known}`),
    await deliver(`v1,AAAA v1,${known}`),
    await deliver(`v2,${known}`),
    await deliver(`v1,${known.slice(4)}`),
    await deliver(""),
  ];
  receiver.kill();
  await once(receiver, "exit");
  assert.deepEqual(statuses, [204, 204, 401, 401, 401]);
});

test("a new webhook's receiver does not start without a secret: anybody could sign for it", () => {
  const folder = project();
  swarm(folder, "hooks", "new", "task.failed", "--kind", "webhook");
  assert.deepEqual(run(folder, process.execPath, ["hooks/notify-task-failed.mjs"]), {
    status: 1,
    stdout: "",
    stderr: "set WEBHOOK_SECRET to the secret of the hook\n",
  });
});

test("a new hook of every kind that is approved is in force", () => {
  for (const kind of ["command", "script", "blocking_script", "http", "webhook", "mcp_tool"]) {
    const folder = project();
    const written = swarm(folder, "hooks", "new", "prompt.submit", "--kind", kind);
    assert.match(written.stdout, /^look at it and approve it: (?:\S+ \S+\/bin\/)?swarm trust$/m);
    assert.equal(swarm(folder, "trust", "--yes").status, 0);
    const tried = swarm(folder, "hooks", "test", "prompt.submit", "--input", '{"prompt": "hello"}');
    assert.deepEqual([written.status, tried.status], [0, 0]);
    assert.match(tried.stdout, /^prompt\.submit: none\n/, kind);
  }
});

test("a kind that does not exist is refused with the one that was meant, and nothing is written", () => {
  const folder = project();
  const kinds = "command, script, blocking_script, function, http, webhook, mcp_tool";
  const refusal = (kind: string) => {
    const { status, stdout, stderr } = swarm(folder, "hooks", "new", "tool.before", "--kind", kind);
    assert.deepEqual([status, stdout], [64, ""]);
    return stderr;
  };
  const rest = "; see swarm hooks new --help [SWARM_USAGE]\n";
  assert.equal(
    refusal("web-hok"),
    `swarm: --kind is "web-hok", expected ${kinds}, did you mean "webhook"?${rest}`,
  );
  assert.equal(refusal("constructor"), `swarm: --kind is "constructor", expected ${kinds}${rest}`);
  assert.deepEqual(filesOf(folder), []);
});

test("when one of its files exists already, nothing is overwritten and nothing is left half-written", () => {
  const files = { command: "no-rm.test.sh", function: "no-rm.test.ts", http: "no-rm.test.mjs" };
  for (const [kind, file] of Object.entries(files)) {
    const folder = project();
    mkdirSync(join(folder, "hooks"));
    writeFileSync(join(folder, "hooks", file), "mine");
    const { status, stderr } = swarm(
      folder,
      "hooks",
      "new",
      "tool.before",
      "--kind",
      kind,
      "--name",
      "no-rm",
    );
    assert.equal(status, 64);
    assert.match(stderr, new RegExp(`^swarm: hooks/${file} exists already; `));
    assert.deepEqual(filesOf(folder), ["hooks", `hooks/${file}`]);
    assert.equal(readFileSync(join(folder, "hooks", file), "utf8"), "mine");
  }
});

test("a link to nowhere is not written through, and a file in the folder's place is an error", () => {
  const folder = project();
  const create = () => swarm(folder, "hooks", "new", "tool.before", "--name", "no-rm");
  writeFileSync(join(folder, "hooks"), "");
  assert.match(create().stderr, /^swarm: hooks\/no-rm\.sh cannot be written: EEXIST.*\[SWARM_USAGE\]\n$/);
  assert.deepEqual(filesOf(folder), ["hooks"]);
  rmSync(join(folder, "hooks"));
  mkdirSync(join(folder, "hooks"));
  symlinkSync(join(folder, "elsewhere"), join(folder, "hooks/no-rm.sh"));
  assert.match(create().stderr, /^swarm: hooks\/no-rm\.sh exists already; /);
  assert.deepEqual(filesOf(folder), ["hooks", "hooks/no-rm.sh"]);
});

test("the entry is added to a swarm.yaml that is there, which says for the rest what it said", () => {
  const folder = project();
  const config = "# mine\nhooks:\n  - { event: tool.before, type: command, name: other, command: 'true' }\n";
  writeFileSync(join(folder, "swarm.yaml"), config);
  const { stdout } = swarm(folder, "hooks", "new", "tool.before", "--name", "no-rm", "--json");
  const { files, entry, is_registered } = JSON.parse(stdout);
  const written = ["hooks/no-rm.sh", "hooks/no-rm.test.sh"];
  assert.deepEqual({ files, is_registered }, { files: written, is_registered: true });
  assert.equal(readFileSync(join(folder, "swarm.yaml"), "utf8"), `${config}${entry}`);
  assert.equal(swarm(folder, "trust", "--yes").status, 0);
  assert.equal(run(folder, join(folder, "hooks/no-rm.test.sh")).stdout, "no-rm: ok\n");
});

test("a new guard denies when it cannot run", () => {
  for (const args of [["tool.before"], ["--template", "block-command"]]) {
    const folder = project();
    assert.equal(swarm(folder, "hooks", "new", ...args, "--name", "no-rm").status, 0);
    writeFileSync(join(folder, "hooks/no-rm.sh"), "#!/no/such/interpreter\n");
    swarm(folder, "trust", "--yes");
    const { decision } = JSON.parse(swarm(folder, "hooks", "test", "tool.before", "--json").stdout);
    assert.deepEqual([decision.verdict, decision.hook], ["deny", "no-rm"]);
  }
});

for (const template of ["block-command", "redact-output", "inject-context"]) {
  test(`what ${template} prints as next steps works as it is printed`, () => {
    const folder = project();
    const { stdout } = swarm(folder, "hooks", "new", "--template", template);
    const [, trust = ""] = /^look at it and approve it: (.*)$/m.exec(stdout) ?? [];
    const [, check = ""] = /^test it: (.*)$/m.exec(stdout) ?? [];
    assert.equal(run(folder, "/bin/sh", ["-c", `${trust} --yes`]).status, 0);
    assert.deepEqual(run(folder, "/bin/sh", ["-c", check]), {
      status: 0,
      stdout: `${template}: ok\n`,
      stderr: "",
    });
  });
}

test("without its interpreter redact-output denies, and Claude Code is told so beside the output", () => {
  const folder = project();
  swarm(folder, "hooks", "new", "--template", "redact-output");
  writeFileSync(join(folder, "hooks/redact-output.sh"), "#!/no/such/interpreter\n");
  assert.equal(swarm(folder, "trust", "--yes").status, 0);
  const output = { tool_name: "Read", tool_input: {}, tool_response: { content: "4111 1111 1111 1111" } };
  const call = { hook_event_name: "PostToolUse", session_id: "s", transcript_path: "", tool_use_id: "t" };
  const input = JSON.stringify({ ...call, ...output, cwd: folder });
  const args = [join(root, "bin/swarm"), "hook", "claude-code", "--guard"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env, input });
  const { decision, reason, hookSpecificOutput } = JSON.parse(stdout);
  assert.deepEqual([decision, hookSpecificOutput], ["block", undefined]);
  assert.match(reason, /needs the interpreter "\/no\/such\/interpreter"/);
});

/** The commands a scaffold has printed, by what stands before them. */
function stepsOf(stdout: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...stdout.matchAll(/^([a-z][a-z ]+): (.+)$/gm)].map(([, what, line]) => [what, line]),
  );
}

for (const [kind, event] of [
  ["http", "tool.before"],
  ["http", "tool.failed"],
  ["webhook", "task.failed"],
  ["mcp_tool", "prompt.submit"],
] as const) {
  test(`what a new ${kind} for ${event} prints as next steps works as it is printed`, async (t) => {
    const folder = project({});
    const home = mkdtempSync(join(top, "home-"));
    const steps = stepsOf(swarm(folder, "hooks", "new", event, "--kind", kind).stdout);
    const port = await freePort();
    const config = readFileSync(join(folder, "swarm.yaml"), "utf8");
    // Another port than the scaffold's: somebody else may be using that one.
    const own = config.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`).replace("# secret:", "secret:");
    writeFileSync(join(folder, "swarm.yaml"), own);
    writeFileSync(join(home, "config.yaml"), "env: { allow: [WEBHOOK_SECRET] }\n");
    const [, secret = "export WEBHOOK_SECRET=unused"] =
      /^(export .*), then /.exec(steps["choose a secret"] ?? "") ?? [];
    let chosen = "";
    const shell = (line: string) => {
      const options = { cwd: folder, encoding: "utf8", timeout: 60_000 } as const;
      return spawnSync("/bin/sh", ["-c", line], {
        ...options,
        env: { ...env, SWARM_HOME: home, PORT: String(port), WEBHOOK_SECRET: chosen },
      });
    };
    chosen = shell(`${secret}; printf %s "$WEBHOOK_SECRET"`).stdout;
    const approved = shell(`${steps["look at it and approve it"]} --yes`);
    assert.equal(approved.status, 0, approved.stderr);
    const tested = shell(steps["test it"] ?? "");
    assert.equal(tested.status, 0, tested.stdout);
    const start = steps["start it"];
    if (start !== undefined) {
      const started = spawn("/bin/sh", ["-c", `exec ${start}`], {
        cwd: folder,
        env: { ...env, PORT: String(port), WEBHOOK_SECRET: chosen },
        stdio: ["ignore", "pipe", "inherit"],
      });
      t.after(() => started.kill());
      await once(createInterface({ input: started.stdout }), "line");
    }
    const last = steps["ask it"] ?? steps["send it a test"] ?? steps["see it called"] ?? assert.fail(kind);
    const { status, stdout, stderr } = shell(last);
    assert.deepEqual([status, stderr], [0, ""], stdout);
    const expected = { http: / completed /, webhook: /^delivered: status 204/, mcp_tool: / completed / };
    assert.match(stdout, expected[kind]);
  });
}

test("notify is a webhook for what is denied or asked about, and a wrong template is refused", () => {
  const folder = project();
  const { stdout } = swarm(folder, "hooks", "new", "--template", "notify");
  assert.match(stdout, /^wrote swarm\.yaml\n/);
  assert.equal(swarm(folder, "trust", "--yes").status, 0);
  const tried = run(folder, "/bin/sh", ["-c", stepsOf(stdout)["test it"] ?? ""]);
  assert.deepEqual([tried.status, tried.stderr], [0, ""]);
  const { hooks } = JSON.parse(swarm(folder, "hooks", "list", "--json").stdout);
  assert.deepEqual(
    hooks.map((hook: Record<string, unknown>) => [
      hook.name,
      hook.kind,
      hook.when,
      hook.on_denied,
      hook.warnings,
    ]),
    [["notify", "webhook", { verdict: ["deny", "ask"] }, true, []]],
  );
  assert.match(swarm(folder, "hooks", "new", "--template", "notfy").stderr, /did you mean "notify"/);
  assert.match(
    swarm(folder, "hooks", "new", "--template", "notify", "--kind", "http").stderr,
    /do not go together/,
  );
});

test("below a swarm.yaml no other one is written: it would switch the hooks of the first off", () => {
  const folder = project();
  writeFileSync(join(folder, "swarm.yaml"), "hooks:\n");
  const below = join(folder, "my packages", "a");
  mkdirSync(below, { recursive: true });
  const { stdout } = swarm(below, "hooks", "new", "tool.before", "--name", "no-rm");
  assert.deepEqual(filesOf(below), ["hooks", "hooks/no-rm.sh", "hooks/no-rm.test.sh"]);
  const [, entry = ""] = /^add to \.\.\/\.\.\/swarm\.yaml:\n\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
  appendFileSync(join(folder, "swarm.yaml"), `${entry}\n`);
  symlinkSync(join(folder, "node_modules"), join(below, "node_modules"));
  assert.equal(swarm(below, "trust", "--yes").status, 0);
  assert.equal(run(folder, join(below, "hooks/no-rm.test.sh")).stdout, "no-rm: ok\n");
});
