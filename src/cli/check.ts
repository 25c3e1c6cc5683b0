import { shellQuoted } from "../base/shell-quote.ts";
import { oneLine } from "../base/show.ts";
import { countGuards } from "../daemon/server/describe-protection.ts";
import type { Outcome } from "../engine/events/outcome.ts";
import { isPolicyHook } from "../policy/rules/judge.ts";
import { type Command, usage } from "./command.ts";
import { openLocalRuntime } from "./home.ts";
import { json } from "./json.ts";
import { nothingBlocked } from "./protection-lines.ts";
import { style, verdictText } from "./style.ts";

export const checkCommand: Command = {
  summary: "judge one shell command as an agent's would be here, and run nothing of it",
  positionals: ["COMMAND"],
  hint: "the command has to be one argument, in quotes",
  examples: [
    'swarm check "git push -f"',
    "swarm check \"sh -c 'rm -rf ~'\" --json",
    'swarm check "npm publish" && echo it would simply run',
  ],
  notes: [
    "Exit code 0: an agent may run it. 1: it is denied, or a person is asked first. Nothing is recorded; swarm hooks test tool.before says more.",
  ],
  async run({ positionals: [line], isJson }) {
    if (line === undefined) throw usage("check", "a command is missing");
    const judged = await judge(line);
    const exitCode = judged.verdict === "none" || judged.verdict === "allow" ? 0 : 1;
    return { text: isJson ? json(judged) : `${lines(judged).join("\n")}\n`, exitCode };
  },
};

type Judged = Awaited<ReturnType<typeof judge>>;

/** By the engine alone: there is no agent to answer, so nothing is recorded and no person is asked. */
async function judge(command: string) {
  const runtime = await openLocalRuntime();
  try {
    const project = await runtime.projects.refresh(process.cwd());
    const data = { tool_name: "Bash", tool_input: { command } };
    const origin = { cwd: process.cwd(), source: "test" };
    const outcome: Outcome = await project.inForce.hooks.emit("tool.before", data, origin);
    const { verdict, hook, reason } = outcome.decision;
    const { command: after } = (outcome.data as typeof data).tool_input;
    return {
      command,
      verdict,
      hook,
      reason,
      rewritten: after === command ? null : after,
      how_to_allow: howToAllow(command, outcome),
      ...countGuards(project),
    };
  } finally {
    await runtime.close();
  }
}

function howToAllow(command: string, { decision: { verdict, hook } }: Outcome): string | null {
  if (verdict === "none" || verdict === "allow" || hook === null) return null;
  if (hook.startsWith("swarm/trust")) return "swarm trust";
  if (isPolicyHook(hook)) return `swarm policy allow ${shellQuoted(command)} --reason "why"`;
  return `change the hook ${hook}: swarm hooks list says where it is`;
}

function lines({ verdict, hook, reason, rewritten, how_to_allow, is_blocking }: Judged): string[] {
  const rule = hook !== null && isPolicyHook(hook) ? hook.slice(hook.indexOf(":") + 1) : hook;
  const by = rule === null ? "" : ` by ${oneLine(rule)}`;
  // An agent is told the rule with the reason; here it has a place of its own.
  const why = reason === null ? "" : `: ${oneLine(reason.replace(` [${rule}]`, ""))}`;
  return [
    verdict === "none" ? passes(is_blocking) : `${verdictText(verdict)}${by}${why}`,
    ...(rewritten === null ? [] : [`it would run as ${oneLine(rewritten)}`]),
    ...(how_to_allow === null ? [] : [`${style("dim", "to let it pass:")} ${oneLine(how_to_allow)}`]),
  ];
}

function passes(isBlocking: boolean): string {
  return isBlocking ? `${style("green", "passes")}: no hook or rule objects` : nothingBlocked();
}
