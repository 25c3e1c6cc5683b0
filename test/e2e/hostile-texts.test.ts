import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bin, endOf, Place } from "./harness.ts";

/** All that steers a terminal or turns the reading order around, in one text; the lines try to look like ours. */
const hostile = [
  "a\u001b]0;title\u0007b\u001b[2Jc\u001b[8md\u009b2Je\u0085f\u007fg\u0000h\bi\rj",
  "\u202ekl\u2066mn\u200eo\u061cp\u2028q\u2029r\u0090s",
  "\nintact: 9 rows, signed\n",
].join("");
/** Bidirectional controls are the only ones that a name in a configuration may hold. */
const turned = "\u202egnp.x\u202c\u2066";
const argument = hostile.replaceAll("\0", "");
const steering = /(?![\t\n])[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u;

const config = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: "see ${turned}" }
hooks:
  - { event: tool.before, type: command, name: "n ${turned}", command: "echo no ${turned} >&2; exit 2", match: Read }
`;

test("no command prints what agents, programs and files say so that it steers a terminal", async (t) => {
  const place = new Place(
    t,
    `hooks:\n  - { event: tool.before, type: command, name: "p ${turned}", command: x }\n`,
  );
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), config);
  const emit = (data: object) =>
    place.json<{ approval?: { id: string } }>("emit", "tool.before", "--data", JSON.stringify(data));
  const { approval } = await emit({
    tool_name: "Bash",
    tool_input: { command: `git push ${hostile}`, [hostile]: hostile },
  });
  await emit({ tool_name: "Read", tool_input: { file_path: hostile } });
  const native = {
    session_id: hostile,
    hook_event_name: "PreToolUse",
    tool_name: hostile,
    tool_input: { x: hostile },
    cwd: place.project,
  };
  const hook = place.start(process.execPath, [bin, "hook", "claude-code", "--no-daemon"]);
  hook.stdin?.end(JSON.stringify(native));
  await endOf(hook);
  writeFileSync(
    join(place.project, "in.jsonl"),
    `${JSON.stringify({ record_id: `r${turned}`, text: hostile })}\n`,
  );
  await place.json("batch", "submit", "--input", "in.jsonl", "--processor", "echo", "--run-id", "r1");
  const task = { command: `printf 'out ${turned}\\033[2J\\302\\233\\n'` };
  const made = [
    "--name",
    "job",
    "--schedule",
    "@daily",
    "--task",
    "custom",
    "--config",
    JSON.stringify(task),
  ];
  const { job_id: job } = await place.json<{ job_id: string }>("cron", "create", ...made);

  const commands: string[][] = [
    ...[["logs"], ["audit", "log"], ["audit", "export"], ["audit", "verify"], ["status"], ["doctor"]],
    ...[
      ["approvals", "list"],
      ["approvals", "show", approval?.id ?? assert.fail()],
    ],
    ...[
      ["hooks", "list"],
      ["hooks", "runs", `n ${turned}`],
      ["hooks", "show", `n ${turned}`],
    ],
    ...[
      ["hooks", "show", argument],
      ["nothing", argument],
      ["policy", "check"],
      ["trust", "--show"],
      ["cron", "list"],
    ],
    ...[
      ["cron", "show", job],
      ["cron", "run", job, "--wait"],
      ["cron", "runs", job],
    ],
    ...[
      ["batch", "list"],
      ["batch", "status", "r1"],
      ["batch", "results", "r1"],
    ],
  ];
  let printed = "";
  for (const command of commands) {
    for (const args of [command, [...command, "--json"]]) {
      const { stdout, stderr } = await place.swarm(...args);
      const all = stdout + stderr;
      assert.notEqual(all, "", args.join(" "));
      assert.doesNotMatch(
        all,
        steering,
        JSON.stringify([args, steering.exec(all)?.index, all.slice(0, 2_000)]),
      );
      if (command[1] !== "verify") assert.doesNotMatch(all, /^intact/m, args.join(" "));
      printed += all;
    }
  }
  // It is there, as codes: what was looked at did show it.
  assert.match(printed, /\\u202e/);
  assert.match(printed, /\\u009b/);

  const output = join(place.folder, "audit.jsonl");
  await place.json("audit", "export", "--output", output);
  const text = readFileSync(output, "utf8");
  assert.doesNotMatch(text, steering);
  assert.ok(
    text
      .split("\n")
      .some((line) => line.includes("payload") && JSON.stringify(JSON.parse(line)).includes("\u202e")),
  );
  assert.equal(
    (await place.json<{ is_intact: boolean }>("audit", "verify", "--file", output)).is_intact,
    true,
  );
  // As versions before wrote it.
  writeFileSync(
    output,
    text
      .split("\n")
      .map((line) => (line === "" ? "" : JSON.stringify(JSON.parse(line))))
      .join("\n"),
  );
  assert.equal(
    (await place.json<{ is_intact: boolean }>("audit", "verify", "--file", output)).is_intact,
    true,
  );
});
