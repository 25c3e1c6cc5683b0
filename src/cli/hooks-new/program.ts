import { join } from "node:path";
import { shellQuoted } from "../../base/shell-quote.ts";
import { rowOf } from "../../engine/events/names.ts";
import { ownCommand } from "../own-command.ts";
import { denied, samplePayload } from "./sample.ts";
import { entryOf, type NewHook, type Scaffold, yamlText } from "./scaffold.ts";

/** A program that decides: a shell script, and one that tests it the way an agent would call it. */
export function decidingProgram(hook: NewHook): Scaffold {
  const { event, kind, name } = hook;
  const body = `event=$(cat)

case "$event" in
  *${denied}*)
    echo "${name} does not allow this" >&2 # the reason
    exit ${kind === "blocking_script" ? 1 : 2}
    ;;
esac
exit 0 # no opinion${kind === "command" ? '; or print {"verdict": "ask", "reason": "…"}, or a text for the model' : ""}
`;
  const checks = `expect completed <<'END'
${JSON.stringify(samplePayload(event, "fine"))}
END
expect denied <<'END'
${JSON.stringify(samplePayload(event, denied))}
END
`;
  // What is to guard has to guard when it cannot run, too; a blocking_script does by itself.
  return programScaffold(hook, body, checks, kind === "command" ? ["mode: guard", "on_failure: deny"] : []);
}

/** A program that only watches: it keeps a log, so that its test has something to look at. */
export function watchingProgram(hook: NewHook): Scaffold {
  const { event, name, place } = hook;
  const log = `"$CLAUDE_PROJECT_DIR"/${shellQuoted(join(place, "hooks", `${name}.log`))}`;
  const body = `cat > /dev/null # event=$(cat) would keep it; payloads may hold secrets, so none is logged

# It is told after the decision and cannot change it. Not beside $0: what runs is the copy that was approved.
printf '%s ${event}\\n' "$(date -u +%FT%TZ)" >> ${log}
`;
  const checks = `lines() { if [ -f hooks/${name}.log ]; then wc -l < hooks/${name}.log; else echo 0; fi; }
before=$(lines)
expect completed <<'END'
${JSON.stringify(samplePayload(event, "fine"))}
END
[ $(lines) -gt $before ] || { echo "${name}: nothing was logged" >&2; exit 1; }
`;
  return programScaffold(hook, body, checks);
}

/** `lines`: of the entry, beside the program; for a guard what makes it one. */
export function programScaffold(
  hook: NewHook,
  body: string,
  checks: string,
  lines: readonly string[] = [],
): Scaffold {
  const { event, name, place } = hook;
  const script = `hooks/${name}.sh`;
  const test = `hooks/${name}.test.sh`;
  return {
    files: [
      { path: script, text: scriptText(hook, body), isExecutable: true },
      { path: test, text: testText(event, name, checks), isExecutable: true },
    ],
    entry: entryOf(hook, [...lines, `args: [${yamlText(`${place}${script}`)}]`]),
    test,
    next: [],
  };
}

function scriptText({ event }: NewHook, body: string): string {
  return `#!/bin/sh
# Called for ${event}: when ${rowOf(event).when}.
# The event is JSON on stdin: {"event": …, "id": …, "cwd": …, "data": {…}}.
${body}`;
}

/** The handlers of an outcome are printed with their status three lines below their name. */
function testText(event: string, name: string, checks: string): string {
  return `#!/bin/sh
# Runs the hook as an agent would, without one.
set -eu
cd "$(dirname "$0")/.."

# Not called swarm: where that is on PATH, the function would call itself.
test_hook() { \${SWARM:-${ownCommand()}} hooks test ${event} --json --file /dev/stdin; }

expect() {
  test_hook |
    grep -A3 '"name": "${name}"' | grep -q "\\"status\\": \\"$1\\"" ||
    { echo "${name}: expected the status $1; is the hook in swarm.yaml, and approved with swarm trust?" >&2; exit 1; }
}

${checks}echo "${name}: ok"
`;
}
