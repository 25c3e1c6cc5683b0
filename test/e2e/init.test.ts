import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { isMarkedStopped } from "../../src/cli/stop-mark.ts";
import { bin, endOf, onTerminal, Place, noTerminal as skip, until } from "./harness.ts";

const root = join(import.meta.dirname, "../..");
const claudeSettings = '{\n  "model": "opus"\n}\n';

/** A fresh home with two agents: settings of Claude Code, one of its transcripts, and a folder of Codex. */
function freshUser(t: TestContext) {
  const place = new Place(t);
  const user = join(place.folder, "user");
  const write = (name: string, text: string, mode = 0o600) => {
    const file = join(user, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    chmodSync(file, mode);
  };
  write(".claude/settings.json", claudeSettings);
  write(".claude/projects/-work/s1.jsonl", transcript(["git push --force", "git push -f origin main", "ls"]));
  mkdirSync(join(user, ".codex"));
  // As `npm install -g` does it, and nothing else: no agent of this machine is found.
  write("bin/swarm", `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, 0o755);
  Object.assign(place.env, {
    HOME: user,
    PATH: `${join(user, "bin")}:/usr/bin:/bin`,
    XDG_CONFIG_HOME: undefined,
    XDG_RUNTIME_DIR: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    CODEX_HOME: undefined,
    DISPLAY: undefined,
    WAYLAND_DISPLAY: undefined,
  });
  const read = (name: string) => readFileSync(join(user, name), "utf8");
  return { place, user, write, read };
}

function transcript(commands: readonly string[]): string {
  const timestamp = new Date().toISOString();
  return commands
    .map((command, at) => {
      const content = [{ type: "tool_use", id: `t${at}`, name: "Bash", input: { command } }];
      const message = { role: "assistant", id: `m${at}`, content };
      return JSON.stringify({
        type: "assistant",
        sessionId: "s1",
        cwd: "/work",
        timestamp,
        uuid: `u${at}`,
        message,
      });
    })
    .join("\n")
    .concat("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
const colours = /\u001b\[[\d;]*[A-Za-z]/g;
const plainOf = (printed: string) => printed.replaceAll(colours, "").replaceAll("\r\n", "\n");

/** Runs a command on a terminal and types an answer each time it asks. */
async function played(
  place: Place,
  args: readonly string[],
  answers: readonly string[],
  env: NodeJS.ProcessEnv = {},
) {
  const terminal = onTerminal(place, args, env);
  let printed = "";
  terminal.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = endOf(terminal);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  let asked = 0;
  for (const answer of answers) {
    asked++;
    await until(() => hasEnded || (printed.match(/\[[Yy]\/[Nn]\] /g) ?? []).length >= asked);
    terminal.stdin?.write(answer);
  }
  const { status } = await ended;
  return { status, printed: plainOf(printed), asked: (printed.match(/\[[Yy]\/[Nn]\] /g) ?? []).length };
}

suite("swarm init", () => {
  test("on a terminal shows each step, asks, does them, and ends with who is guarded", {
    skip,
  }, async (t) => {
    const { place, read } = freshUser(t);
    const { status, printed, asked } = await played(place, ["init"], ["\r", "\r"]);
    assert.equal(asked, 2, printed); // go on, and the passphrase
    const [before = "", after = ""] = printed.split("Go on? [Y/n] ");
    assert.match(before, /^Claude Code, Codex: 2 agents on this machine\./);
    assert.match(before, /^ {2}policy +adds `policy: starter` to .*config\.yaml$/m);
    assert.match(before, /^ {2}claude-code +adds our hooks to ~\/\.claude\/settings\.json/m);
    assert.match(before, /undone by swarm uninstall --all\.$/m);
    assert.match(after, /^ {2}scan +in 30 days: 2 force-pushes; swarm scan lists them$/m);
    assert.match(after, /^ {2}policy +.*now says policy: starter, \d+ rules$/m);
    assert.match(after, /^ {2}claude-code +installed, \d+ entries in ~\/\.claude\/settings\.json$/m);
    assert.match(after, /^ {2}daemon +started, process \d+, http:\/\/127\.0\.0\.1:\d+$/m);
    assert.match(after, /^AGENT +GUARDED +PROVEN +WHAT TO DO$/m);
    assert.match(after, /^Claude Code +\d+ rules +never +swarm verify claude-code$/m);
    // It has yet to be trusted in Codex itself: not guarded, and the exit code says so.
    assert.match(after, /^Codex +INERT +never +\S/m);
    assert.equal(status, 1);
    assert.match(read(".claude/settings.json"), /swarm-hook/);
    const { is_blocking, running } = await place.json<{ is_blocking: boolean; running: boolean }>("status");
    assert.deepEqual([is_blocking, running], [true, true]);
    await place.swarm("stop");
  });

  test("is offered by swarm alone on a terminal, to a user who has nothing yet", { skip }, async (t) => {
    const { place, read } = freshUser(t);
    const offered = await played(place, [], ["y\r", "n\r"]);
    assert.match(offered.printed, /^First commands$/m);
    assert.match(offered.printed, /by swarm init\? .*\[y\/N\] /);
    assert.match(offered.printed, /nothing was changed\n$/);
    assert.equal(read(".claude/settings.json"), claudeSettings);
    const piped = await place.swarm();
    assert.deepEqual([piped.status, piped.stderr], [0, ""]);
    assert.match(piped.stdout, /^First commands$/m);
    mkdirSync(place.home, { recursive: true });
    const again = await played(place, [], []);
    assert.deepEqual([again.asked, again.status], [0, 0]);
  });

  test("changes nothing when the answer is no", { skip }, async (t) => {
    const { place, read } = freshUser(t);
    const { status, printed } = await played(place, ["init"], ["n\r"]);
    assert.equal(status, 0);
    assert.match(printed, /nothing was changed\n$/);
    assert.equal(read(".claude/settings.json"), claudeSettings);
    assert.equal(existsSync(join(place.home, "config.yaml")), false);
  });

  test("--dry-run shows the same steps and makes not even a folder", async (t) => {
    const { place, read } = freshUser(t);
    const { status, stdout } = await place.swarm("init", "--dry-run");
    assert.equal(status, 0);
    assert.match(stdout, /^ {2}daemon +starts it in the background/m);
    assert.equal(existsSync(place.home), false);
    assert.equal(read(".claude/settings.json"), claudeSettings);
    const { steps } = await place.json<{ steps: { step: string }[] }>("init", "--dry-run");
    assert.deepEqual(
      steps.map(({ step }) => step),
      ["scan", "policy", "claude-code", "codex", "daemon"],
    );
  });

  test("without a terminal it needs --yes, and says so", async (t) => {
    const { place } = freshUser(t);
    const { status, stderr } = await place.swarm("init");
    assert.equal(status, 64);
    assert.match(stderr, /add --yes/);
    assert.equal(existsSync(place.home), false);
  });

  test("leaves a policy, settings and a daemon that are there, the second time", async (t) => {
    const { place, read } = freshUser(t);
    await place.swarm("init", "--yes");
    const [config, settings] = [
      readFileSync(join(place.home, "config.yaml"), "utf8"),
      read(".claude/settings.json"),
    ];
    const { stdout } = await place.swarm("init", "--yes");
    assert.match(stdout, /^ {2}claude-code +as it should be already/m);
    assert.match(stdout, /^ {2}daemon +runs already/m);
    assert.doesNotMatch(stdout, /^ {2}policy/m);
    assert.equal(readFileSync(join(place.home, "config.yaml"), "utf8"), config);
    assert.equal(read(".claude/settings.json"), settings);
    await place.swarm("stop");
  });

  test("an agent whose settings cannot be read is left alone, and the others are guarded", async (t) => {
    const { place, write, read } = freshUser(t);
    write(".codex/hooks.json", "{ not JSON");
    const { status, stdout } = await place.swarm("init", "--yes");
    assert.equal(status, 1);
    assert.match(stdout, /^ {2}codex +left alone: .*hooks\.json/m);
    assert.match(stdout, /^Claude Code +\d+ rules/m);
    assert.equal(read(".codex/hooks.json"), "{ not JSON");
    await place.swarm("stop");
  });

  test("offers the service where there is a systemd, and goes on without where that refuses", {
    skip,
  }, async (t) => {
    const { place, user, write } = freshUser(t);
    const runtime = join(place.folder, "run");
    mkdirSync(join(runtime, "systemd"), { recursive: true });
    writeFileSync(join(runtime, "systemd/private"), "");
    write("bin/systemctl", "#!/bin/sh\necho no bus here >&2\nexit 1\n", 0o755);
    const { printed } = await played(place, ["init"], ["\r", "y\r", "\r"], { XDG_RUNTIME_DIR: runtime });
    assert.match(printed, /^ {2}service +writes a systemd user unit/m);
    assert.match(
      printed,
      /^ {2}service +.*is written, and systemd refused it \(no bus here\); started without, at http/m,
    );
    const unit = join(user, ".config/systemd/user/swarm-hooks.service");
    assert.ok(existsSync(unit));
    const { stdout } = await place.swarm("uninstall", "--all", "--yes");
    assert.match(stdout, /the service ends and .*swarm-hooks\.service is removed/);
    assert.equal(existsSync(unit), false);
  });
});

suite("swarm uninstall --all", () => {
  test("puts everything back as it was, ends the daemon and keeps the record", async (t) => {
    const { place, user, read } = freshUser(t);
    await place.swarm("init", "--yes");
    const { pid } = await place.json<{ pid: number }>("status");
    const { status, stdout } = await place.swarm("uninstall", "--all", "--yes");
    assert.equal(status, 0, stdout);
    assert.equal(read(".claude/settings.json"), claudeSettings);
    assert.equal(existsSync(join(user, ".codex/hooks.json")), false);
    assert.equal(existsSync(join(place.home, "config.yaml")), false);
    assert.throws(() => process.kill(pid, 0));
    assert.ok(isMarkedStopped(place.home) && existsSync(join(place.home, "swarm.db")));
    assert.match(stdout, /no agent is guarded any more/);
    const again = await place.swarm("uninstall", "--all", "--yes");
    assert.equal(again.status, 0);
  });

  test("leaves a configuration that was edited since, and says so", async (t) => {
    const { place } = freshUser(t);
    await place.swarm("init", "--yes");
    const file = join(place.home, "config.yaml");
    const edited = `${readFileSync(file, "utf8")}sandbox: strict\n`;
    writeFileSync(file, edited);
    const { stdout } = await place.swarm("uninstall", "--all", "--yes");
    assert.match(stdout, /config\.yaml was edited since swarm init: it stays as it is/);
    assert.equal(readFileSync(file, "utf8"), edited);
  });

  test("says that the record goes on requiring a person for approvals, and what ends that", async (t) => {
    const { place } = freshUser(t);
    mkdirSync(place.home);
    writeFileSync(join(place.home, "config.yaml"), "approvals: { require: person }\n");
    await place.swarm("init", "--yes");
    const { stdout } = await place.swarm("uninstall", "--all", "--yes");
    assert.match(stdout, /^the record goes on requiring a person's key.*swarm approvals require any/m);
    const { place: other } = freshUser(t);
    await other.swarm("init", "--yes");
    const usual = await other.swarm("uninstall", "--all", "--yes");
    assert.doesNotMatch(usual.stdout, /a person's key/);
  });

  test("takes no agent's name, and asks first", async (t) => {
    const { place, read } = freshUser(t);
    await place.swarm("init", "--yes");
    const named = await place.swarm("uninstall", "codex", "--all", "--yes");
    assert.equal(named.status, 64);
    const unasked = await place.swarm("uninstall", "--all");
    assert.equal(unasked.status, 64);
    assert.match(read(".claude/settings.json"), /swarm-hook/);
    await place.swarm("stop");
  });
});

suite("the README's first screen", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [install = "", session = ""] = [...readme.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].map(
    ([, block = ""]) => block,
  );

  test("names the package and the program there are", () => {
    const { name, bin: programs } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const [first = "", second = ""] = install.trim().split("\n");
    assert.equal(first, `npm install -g ${name}`);
    assert.ok(Object.keys(programs).includes(second.split(" ")[0] ?? ""));
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.ok(readme.slice(0, 2_500).includes(`Node ${engines.node.slice(2)} or newer`));
  });

  test("is what is printed, command for command", { skip }, async (t) => {
    const { place } = freshUser(t);
    const [, initialise = ""] = install.trim().split("\n");
    await played(place, initialise.split(" ").slice(1), ["\r", "\r"]);
    const steps = session.split(/^\$ /m).slice(1);
    assert.ok(steps.length >= 3);
    for (const step of steps) {
      const [command = "", ...expected] = step.split("\n");
      const options = { cwd: place.project, env: place.env, encoding: "utf8" } as const;
      const { stdout, stderr } = spawnSync("/bin/sh", ["-c", command], options);
      assert.deepEqual([stdout, stderr], [expected.join("\n"), ""], command);
    }
    await place.swarm("stop");
  });
});
