import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalName, type EventName, rowOf } from "../events/names.ts";
import { type Command, usage } from "./command.ts";

export const hooksNewCommand: Command = {
  summary: "write a hook to start from: a script, its entry for swarm.yaml and a test",
  positionals: ["EVENT"],
  options: {
    kind: "KIND  command, script or blocking_script; default command",
    name: "NAME  its name, default my-hook",
  },
  examples: [
    "swarm hooks new tool.before --name no-force-push",
    "swarm hooks new task.created --kind blocking_script",
  ],
  run({ positionals: [written], options: { kind = "command", name = "my-hook" }, isJson }) {
    if (written === undefined) throw usage("hooks new", "an event is missing");
    const event = canonicalName(written);
    if (!["command", "script", "blocking_script"].includes(kind)) {
      throw usage(
        "hooks new",
        `--kind is ${JSON.stringify(kind)}, expected command, script or blocking_script`,
      );
    }
    if (!/^[\w-]{1,64}$/.test(name)) throw usage("hooks new", "--name takes letters, digits, _ and -");
    const script = join("hooks", `${name}.sh`);
    const test = join("hooks", `${name}.test.sh`);
    const taken = [script, test].find((file) => existsSync(file));
    if (taken !== undefined) throw usage("hooks new", `${taken} exists already`);
    mkdirSync("hooks", { recursive: true });
    writeExecutable(script, scriptFor(event, kind));
    writeExecutable(test, testFor(event, name));
    const entry = entryFor(event, kind, name, script);
    const isFirst = !existsSync("swarm.yaml");
    if (isFirst) writeFileSync("swarm.yaml", `hooks:\n${entry}`);
    if (isJson) return `${JSON.stringify({ script, test, entry, is_registered: isFirst }, null, 2)}\n`;
    const next = isFirst
      ? `wrote swarm.yaml, ${script} and ${test}`
      : `wrote ${script} and ${test}; add to swarm.yaml:\n\n${entry}`;
    return `${next}\ntry it: ${test}\n`;
  },
};

function writeExecutable(file: string, text: string): void {
  writeFileSync(file, text, { flag: "wx" });
  chmodSync(file, 0o755);
}

function entryFor(event: EventName, kind: string, name: string, script: string): string {
  const matcher = rowOf(event).matches === null ? "" : '    match: "*"\n';
  return `  - event: ${event}\n    type: ${kind}\n    name: ${name}\n${matcher}    args: [./${script}]\n`;
}

function scriptFor(event: EventName, kind: string): string {
  const deny = kind === "blocking_script" ? "exit 1" : "exit 2";
  return `#!/bin/sh
# Called for ${event}: when ${rowOf(event).when}.
# The event is JSON on stdin: {"event": …, "id": …, "cwd": …, "data": {…}}.
event=$(cat)

case "$event" in
  *DO-NOT*)
    echo "denied by $0" >&2 # the reason
    ${deny}
    ;;
esac
exit 0 # no opinion; or print {"verdict": "allow"}, {"rewrite": {…}}, or a text for the model
`;
}

function testFor(event: EventName, name: string): string {
  const isTool = "tool_name" in rowOf(event).payload;
  const required = Object.entries(rowOf(event).payload).filter(([, field]) => field.isRequired && !isTool);
  const fields = Object.fromEntries(
    required.map(([field, { type, values }]) => [field, sample(type, values)]),
  );
  const input = (text: string) => JSON.stringify({ ...fields, note: text }).replaceAll("'", "");
  return `#!/bin/sh
# Runs the hook as an agent would, without one.
set -eu
swarm hooks test ${event} --json --input '${input("fine")}' | grep -q '"verdict": "none"'
swarm hooks test ${event} --json --input '${input("DO-NOT")}' | grep -q '"hook": "${name}"'
echo "${name}: ok"
`;
}

function sample(type: string, values: readonly string[] | null): unknown {
  if (values !== null) return values[0];
  return { number: 1, integer: 1, boolean: true, object: {}, array: [], strings: [] }[type] ?? "x";
}
