import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { bin, endOf, onTerminal, Place, noTerminal as skip, trustedPlace, until } from "./harness.ts";

const esc = "\u001b";
const colour = new RegExp(`${esc}\\[\\d+m`, "g");
/** `deny` as a terminal shows it. */
const red = `${esc}[31mdeny${esc}[39m`;

/** What was printed, without colours and the carriage returns a terminal adds. */
function plainOf(printed: string): string {
  return printed.replaceAll(colour, "").replaceAll("\r\n", "\n");
}

const guard = `hooks:
  - event: tool.before
    type: command
    name: guard
    match: Bash
    mode: guard
    on_failure: deny
    command: 'echo not here >&2; exit 2'
`;
const bash = { tool_name: "Bash", tool_input: { command: "ls" } };

suite("colours", { skip }, () => {
  const args = ["emit", "tool.before", "--data", JSON.stringify(bash)];

  test("are there on a terminal, and aligned columns stay aligned", async (t) => {
    const place = await trustedPlace(t, guard);
    const { stdout } = await endOf(onTerminal(place, args));
    assert.ok(stdout.startsWith(`tool.before: ${red} by guard\r\n`), stdout);
    const log = await endOf(onTerminal(place, ["audit", "log"]));
    const plain = await place.swarm("audit", "log");
    assert.ok(log.stdout.includes(red));
    assert.equal(plainOf(log.stdout), plain.stdout);
  });

  test("are not there when NO_COLOR is set, nor off a terminal", async (t) => {
    const place = await trustedPlace(t, guard);
    const { stdout } = await endOf(onTerminal(place, args, { NO_COLOR: "1" }));
    assert.match(stdout, /^tool\.before: deny by guard\r\n/);
    for (const command of [args, ["logs"], ["audit", "log"], ["status"], ["doctor"], ["hooks", "list"]]) {
      const { stdout: piped } = await place.swarm(...command);
      assert.ok(!piped.includes(esc), command.join(" "));
    }
  });
});

test("swarm up on a terminal says where it listens, what it guards and what to try, then a line per event", {
  skip,
}, async (t) => {
  const place = await trustedPlace(t, guard);
  const terminal = onTerminal(place, ["up", "--port", "0"], {
    HOME: place.folder,
    XDG_CONFIG_HOME: undefined,
  });
  let printed = "";
  terminal.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = endOf(terminal);
  await until(() => printed.includes("Ctrl-C"));
  const plain = () => plainOf(printed);
  assert.match(
    plain(),
    new RegExp(`^listening on http://127\\.0\\.0\\.1:\\d+
socket {3}${place.home}/swarm\\.sock
guards {3}1 hook in force in this folder
page {5}http://127\\.0\\.0\\.1:\\d+: swarm dashboard opens it
next {5}swarm init guards your agents
stop {5}Ctrl-C
`),
  );
  const port = Number(/:(\d+)\r/.exec(printed)?.[1]);
  const sent = { event: "tool.before", data: bash, session: "s1", cwd: place.project };
  assert.equal((await place.call(port, "POST", "/api/v1/events", sent)).status, 200);
  await until(() =>
    /\n\d\d:\d\d:\d\d tool\.before deny by guard: not here \(\d+\.\d ms, s1\)\n/.test(plain()),
  );
  terminal.stdin?.write("\x03");
  const { status } = await ended;
  assert.equal(status, 0, printed);
  assert.match(plain(), /stopping: waiting for what is under way\n$/);
});

test("swarm hook waits for no call on a terminal, and names what may have been meant", {
  skip,
}, async (t) => {
  const place = new Place(t);
  const typo = await endOf(onTerminal(place, ["hook", "new"]));
  assert.equal(typo.status, 64);
  assert.match(typo.stdout, /there is a terminal; did you mean swarm hooks\?/);
  // For an agent every ending but 2 is consent.
  const guard = await endOf(onTerminal(place, ["hook", "claude-code", "--guard"]));
  assert.equal(guard.status, 2);
});

test("help and tables fit a narrow terminal", { skip }, async (t) => {
  const place = new Place(t);
  for (const args of [["--help"], ["help", "hooks"], ["batch", "submit", "--help"]]) {
    const line = `stty cols 70; exec '${process.execPath}' '${bin}' ${args.join(" ")}`;
    const terminal = place.start("script", ["-qfec", line, "/dev/null"], { TERM: "xterm", SHELL: "/bin/sh" });
    const { stdout } = await endOf(terminal);
    const lines = plainOf(stdout).split("\n");
    // Examples are lines to copy, and stay whole.
    const shown = lines.slice(0, lines.includes("Examples:") ? lines.indexOf("Examples:") : undefined);
    assert.deepEqual(
      shown.filter((text) => text.length > 70),
      [],
      args.join(" "),
    );
  }
});

test("swarm up on a terminal starts in a folder whose file is broken, and says so", { skip }, async (t) => {
  const place = new Place(t, "hooks: [");
  const terminal = onTerminal(place, ["up", "--port", "0"]);
  let printed = "";
  terminal.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = endOf(terminal);
  await until(() => printed.includes("Ctrl-C"));
  assert.match(printed, /nothing can be decided in this folder: .*swarm\.yaml:1:/);
  terminal.stdin?.write("\x03");
  assert.equal((await ended).status, 0);
});

suite("text that would forge lines, steer the terminal or turn the reading order around does none of it", () => {
  const evil = [
    "\x1b[2J\x1b[H",
    "\x1b[45m",
    "\x1b]52;c;aGk=\x07",
    "\x1b]8;;http://other.example\x1b\\",
    "\u009b31m",
    "\u202eesrever\u202c",
    "\u2066\u200f",
    "\r",
    "\b\b\b",
    "\n12:00:00 forged allow\n",
    "\u2028forged\u2029",
  ].join("x");
  const config = `hooks:
  - event: tool.before
    type: command
    name: "gu\\u202eard"
    match: "*"
    mode: guard
    on_failure: deny
    command: 'cat evil >&2; exit 2'
  - { event: tool.before, type: command, name: adds, priority: 5, command: cat evil }
  - { event: notification, type: command, name: fails, command: 'cat evil >&2; exit 3' }
`;
  const sent = {
    event: "tool.before",
    data: { tool_name: `Bash${evil}`, tool_input: { [evil]: evil } },
    session: evil,
    agent: evil,
    task: evil,
    source: evil,
  };

  const ours = new RegExp(`${esc}\\[(2|22|31|32|33|36|39)m`, "g");

  /** Everything a reader could be fooled by, but for line feeds and the colours that are ours. */
  function assertHarmless(printed: string, what: string): void {
    const rest = printed.replaceAll(ours, "");
    const harmful =
      rest.match(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu)?.filter((found) => found !== "\n") ?? [];
    assert.deepEqual(
      harmful.map((found) => found.charCodeAt(0).toString(16)),
      [],
      what,
    );
    assert.doesNotMatch(rest, /^(12:00:00 )?forged/m, what);
  }

  async function tainted(place: Place) {
    place.write("evil", evil);
    const daemon = await place.up();
    const { body } = await place.call(daemon.port, "POST", "/api/v1/events", { ...sent, cwd: place.project });
    assert.equal((body.decision as { verdict: string }).verdict, "deny");
    const note = { event: "notification", data: { message: evil }, cwd: place.project };
    await place.call(daemon.port, "POST", "/api/v1/events", note);
    await place.call(daemon.port, "GET", `/api/v1/hooks?cwd=${encodeURIComponent(`/${evil}`)}`);
    return { ...daemon, id: String(body.id) };
  }

  const commands = (id: string, data: string): string[][] => [
    ["logs"],
    ["audit", "log"],
    ["status"],
    ["doctor"],
    ["hooks", "list"],
    ["hooks", "show", "gu\u202eard"],
    ["hooks", "runs", "gu\u202eard"],
    ["hooks", "explain", id],
    ["trust", "--show"],
    ["hooks", "test", "tool.before", "--input", data],
    ["emit", "tool.before", "--data", JSON.stringify(sent.data), "--session", "s\u202e"],
    ["hooks", "disable", "gu\u202eard"],
  ];

  test("in what commands print, as text and as JSON", async (t) => {
    const place = await trustedPlace(t, config);
    const { id, child, printed, ended } = await tainted(place);
    const all = commands(id, JSON.stringify(sent.data.tool_input));
    for (const args of all) {
      const { status, stdout, stderr } = await place.swarm(...args);
      // The hook that fails is a finding of doctor's, and so its exit code.
      assert.equal(status, args[0] === "doctor" ? 1 : 0, `${args.join(" ")}: ${stderr}`);
      assertHarmless(stdout + stderr, args.join(" "));
    }
    for (const args of [["logs"], ["audit", "log"], ["hooks", "explain", id]]) {
      const { stdout } = await place.swarm(...args, "--json");
      assertHarmless(stdout, `${args.join(" ")} --json`);
      assert.ok(stdout.includes("\\u202e") && stdout.includes("\\u009b"), "escaped, not lost");
    }
    const refused = await place.swarm("emit", evil);
    assert.equal(refused.status, 64);
    assert.equal(refused.stderr.split("\n").length, 2);
    assertHarmless(refused.stderr, "an error");
    child.kill("SIGTERM");
    const { stderr } = await ended;
    assertHarmless(printed(), "what the daemon prints");
    assert.match(stderr, /fails/);
    assertHarmless(stderr, "what the daemon logs");
  });

  test("on a terminal", { skip }, async (t) => {
    const place = await trustedPlace(t, config);
    const { id } = await tainted(place);
    for (const args of [
      ["logs"],
      ["audit", "log"],
      ["status"],
      ["hooks", "explain", id],
      ["hooks", "list"],
    ]) {
      const { stdout } = await endOf(onTerminal(place, args));
      assertHarmless(stdout.replaceAll("\r\n", "\n"), args.join(" "));
    }
  });
});

suite("swarm install --migrate on a terminal", { skip }, () => {
  const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] } });

  /** Both files after this answer, and what was shown before it. */
  async function answered(t: TestContext, answer: string) {
    const place = new Place(t);
    const [home, config] = [join(place.folder, "user"), join(place.home, "config.yaml")];
    mkdirSync(join(home, ".claude"), { recursive: true });
    writeFileSync(join(home, ".claude/settings.json"), settings);
    const terminal = onTerminal(place, ["install", "claude-code", "--migrate"], { HOME: home });
    let shown = "";
    terminal.stdout?.on("data", (chunk) => {
      shown += chunk;
    });
    await until(() => shown.includes("[y/N] "));
    terminal.stdin?.write(`${answer}\n`);
    const { status } = await endOf(terminal);
    const files = [join(home, ".claude/settings.json"), config];
    return {
      status,
      shown: plainOf(shown),
      files: files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : null)),
    };
  }

  test("shows both files and changes both when told to", async (t) => {
    const { status, shown, files } = await answered(t, "y");
    assert.equal(status, 0);
    assert.match(shown, /config\.yaml\n\+ hooks:\n/);
    assert.match(shown, /settings\.json\n- \{"hooks":\{"Stop"/);
    assert.match(files[0] ?? "", /swarm-hook/);
    assert.match(files[1] ?? "", /command: mine\n/);
  });

  test("changes neither when not", async (t) => {
    const { status, files } = await answered(t, "");
    assert.deepEqual([status, files], [0, [settings, null]]);
  });
});
