import type { EventName } from "../../engine/events/names.ts";
import { ownCommand } from "../own-command.ts";
import { programScaffold } from "./program.ts";
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
          hook,
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
        `# The whole event with the numbers masked; of it the tool's output is the answer.
masked=$(sed -E 's/[0-9]{4}([ -]?[0-9]{4}){3}/XXXX-XXXX-XXXX-XXXX/g')
printf '%s' "$masked" | node -e '
  const { data } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify({ rewrite: { tool_output: data.tool_output } }));
'
`,
        `${checksOf(hook, ['{"tool_name":"Read","tool_input":{},"tool_output":{"content":"4111 1111 1111 1111"}}', "completed"])}swarm hooks test ${hook.event} --json --file /dev/stdin <<'END' | grep -q XXXX-XXXX ||
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
      test: `${ownCommand()} hooks test ${event}`,
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
        checksOf(hook, ['{"source":"startup"}', "completed"]),
        ["mode: transform"],
      ),
  },
};

function checksOf(_hook: NewHook, ...cases: readonly (readonly [payload: string, status: string])[]): string {
  return cases.map(([payload, status]) => `expect ${status} <<'END'\n${payload}\nEND\n`).join("");
}
