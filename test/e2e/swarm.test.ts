import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventNames } from "../../src/engine/events/names.ts";

const root = join(import.meta.dirname, "../..");

function swarm(args: string[], nodeArgs: string[] = []) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeArgs, join(root, "bin/swarm"), ...args],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

test("a guard that cannot even be loaded denies", () => {
  const preload = join(import.meta.dirname, "fixtures", "pretend-old-node.cjs");
  const call = ["hook", "claude-code", "--guard"];
  assert.equal(swarm(call, ["--require", preload]).status, 2);
  const folder = mkdtempSync(join(tmpdir(), "swarm-unbuilt-"));
  try {
    mkdirSync(join(folder, "bin"));
    const program = join(folder, "bin/swarm");
    for (const file of ["bin/swarm", "bin/package.json"]) copyFileSync(join(root, file), join(folder, file));
    const unbuilt = (args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
    const { status, stderr } = unbuilt(call);
    assert.deepEqual([status, stderr], [2, "swarm: not built yet: run npm run build\n"]);
    assert.equal(unbuilt(["hook", "claude-code"]).status, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("--version prints the package's version", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  assert.deepEqual(swarm(["--version"]), { status: 0, stdout: `${version}\n`, stderr: "" });
});

test("without a command it prints what there is, with examples", () => {
  const { status, stdout, stderr } = swarm([]);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  assert.match(stdout, /Usage: swarm <command>/);
  assert.match(stdout, /Examples:\n {2}swarm init\n/);
});

test("events --json lists every event of the catalogue", () => {
  const { status, stdout } = swarm(["events", "--json"]);
  assert.equal(status, 0);
  assert.deepEqual(
    (JSON.parse(stdout) as { event: string }[]).map(({ event }) => event),
    eventNames,
  );
});

test("an event is found by any of its names", () => {
  assert.equal(swarm(["events", "PreToolUse"]).stdout, swarm(["events", "tool.before"]).stdout);
  assert.match(swarm(["events", "PRE_TOOL"]).stdout, /^tool\.before: fires when a tool is about to run\n/);
});

test("the first word of several commands tells of them", () => {
  const { status, stdout } = swarm(["webhooks", "--help"]);
  assert.equal(status, 0);
  assert.match(stdout, /^Usage: swarm webhooks <command> \[options\]\n/);
  assert.deepEqual(
    stdout.match(/^ {2}webhooks \w+/gm)?.map((line) => line.trim()),
    ["webhooks deliveries", "webhooks replay", "webhooks test"],
  );
  assert.equal(swarm(["webhooks", "-h"]).stdout, stdout);
  assert.equal(swarm(["webhooks"]).stdout, stdout);
  assert.equal(swarm(["help", "webhooks"]).stdout, stdout);
});

const mistakes = [
  { args: ["evnts"], status: 64, says: 'unknown command "evnts"; did you mean swarm events? [SWARM_USAGE]' },
  {
    args: ["webhooks", "--limit"],
    status: 64,
    says: "a command is missing; see swarm webhooks --help [SWARM_USAGE]",
  },
  {
    args: ["events", "PreTolUse"],
    status: 64,
    says: 'unknown event "PreTolUse", did you mean "PreToolUse"? [SWARM_EVENT_UNKNOWN]',
  },
  {
    args: ["emit", "tool.before", "--wait", "soon"],
    status: 64,
    says: '--wait is "soon", expected a number of seconds; see swarm emit --help [SWARM_USAGE]',
  },
  {
    args: ["events", "--jsn"],
    status: 64,
    says: "Unknown option '--jsn'; see swarm events --help [SWARM_USAGE]",
  },
  {
    args: ["events", "a", "b"],
    status: 64,
    says: '"b" is one argument too many; see swarm events --help [SWARM_USAGE]',
  },
];

for (const { args, status, says } of mistakes) {
  test(`\`swarm ${args.join(" ")}\` is one line of cause and next step`, () => {
    assert.deepEqual(swarm(args), { status, stdout: "", stderr: `swarm: ${says}\n` });
  });
}
