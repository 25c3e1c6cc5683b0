import type { EventName } from "../../engine/events/names.ts";
import { ownCommand } from "../own-command.ts";
import { programScaffold } from "./program.ts";
import { commandToTry } from "./sample.ts";
import { type NewHook, type Scaffold, yamlText } from "./scaffold.ts";

/** What people write first: each works as it stands, and is named for what it does. */
export interface Template {
  readonly doc: string;
  readonly event: EventName;
  readonly kind: string;
  readonly write: (hook: NewHook) => Scaffold;
}

export const templates: Readonly<Record<string, Template>> = {
  "block-command": {
    doc: "denies shell commands that have a text in them",
    event: "tool.before",
    kind: "blocking_script",
    write: (hook) =>
      programScaffold(
        hook,
        `# jq, python3 or node would read the JSON; for one text grep is enough.
if grep -q -e 'rm -rf /' -e 'git push --force'; then
  echo "${hook.name}: this command is not run here" >&2 # the reason the agent is given
  exit 1
fi
exit 0 # anything else denies, and so does a script that cannot run
`,
        checksOf(
          ['{"tool_name":"Bash","tool_input":{"command":"ls"}}', "completed"],
          ['{"tool_name":"Bash","tool_input":{"command":"git push --force"}}', "denied"],
        ),
        ["match: shell"],
      ),
  },
  "redact-output": {
    doc: "masks card numbers in what tools give back",
    event: "tool.after",
    kind: "command",
    write: (hook) =>
      programScaffold(
        hook,
        `# When this cannot run (node is missing, say), on_failure: deny answers instead. Codex, Gemini CLI, Qwen Code, Copilot CLI
# and OpenCode give their model that reason in place of the output; Claude Code gives it both, and Cursor the output alone.
# Tokens and keys of known forms need no program, which could be missing: redact: true in swarm.yaml masks those.
node -e '
  const number = /[0-9]{4}([ -]?[0-9]{4}){3}/g;
  const mask = (_, value) => {
    if (typeof value !== "string" && typeof value !== "number") return value;
    const masked = String(value).replace(number, "XXXX-XXXX-XXXX-XXXX");
    return masked === String(value) ? value : masked;
  };
  const { data } = JSON.parse(require("node:fs").readFileSync(0, "utf8"), mask);
  process.stdout.write(JSON.stringify({ rewrite: { tool_output: data.tool_output } }));
'
`,
        `${checksOf(['{"tool_name":"Read","tool_input":{},"tool_output":{"content":4111111111111111}}', "completed"])}test_hook <<'END' | grep -q XXXX-XXXX ||
{"tool_name":"Read","tool_input":{},"tool_output":{"content":"4111 1111 1111 1111"}}
END
  { echo "${hook.name}: the number was not masked" >&2; exit 1; }
`,
        ['match: "*"', "mode: transform", "on_failure: deny"],
      ),
  },
  notify: {
    doc: "tells Slack what was denied or asked about",
    event: "tool.before",
    kind: "webhook",
    write: ({ event, name }) => ({
      files: [],
      entry: `  - event: ${event}
    type: webhook
    name: ${yamlText(name)}
    when: { verdict: [deny, ask] }
    format: slack # or discord, teams; pagerduty takes a routing_key
    url: https://hooks.slack.com/services/T000/B000/XXXX # the address of your own
`,
      test: commandToTry(event),
      next: [`put the address of your channel into swarm.yaml, then: ${ownCommand()} webhooks test ${name}`],
    }),
  },
  "inject-context": {
    doc: "gives the model a text when a session starts",
    event: "session.start",
    kind: "command",
    write: (hook) =>
      programScaffold(
        hook,
        `cat > /dev/null
# What is printed is added to the model's context.
echo "Today is $(date +%F). Branch: $(git branch --show-current 2>/dev/null || echo none)."
`,
        checksOf(['{"source":"startup"}', "completed"]),
        ["mode: transform"],
      ),
  },
};

function checksOf(...cases: readonly (readonly [payload: string, status: string])[]): string {
  return cases.map(([payload, status]) => `expect ${status} <<'END'\n${payload}\nEND\n`).join("");
}
