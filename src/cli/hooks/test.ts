import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { oneLine } from "../../base/show.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import { type AnyEventName, canonicalName, rowOf } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { withToolNames } from "../../agents/calls/with-tool-names.ts";
import { daemonHealth } from "../client.ts";
import { type Command, type CommandInput, usage } from "../command.ts";
import { openLocalRuntime } from "../home.ts";
import { json } from "../json.ts";
import { queuedLines } from "../queued-lines.ts";
import { style } from "../style.ts";
import { decisionLines } from "./decision-lines.ts";
import { handlerTable } from "./handler-table.ts";

export const hooksTestCommand: Command = {
  summary:
    "run the real hooks of this folder for an event, without any agent, and show what each did; webhooks are not sent",
  positionals: ["EVENT"],
  options: {
    tool: "NAME  the tool, for tool events",
    input: "JSON  the tool's input for tool events, else the payload",
    output: "JSON  for tool.after, what the tool gave: JSON, or any other text as it stands",
    file: "FILE  a file with the whole payload",
    source: "NAME  what it comes from, default test; an agent's name for hooks that are for that agent only",
  },
  flags: { send: { doc: "have webhooks sent as well, to where they go" } },
  examples: [
    'swarm hooks test tool.before --tool Bash --input \'{"command": "git push --force"}\'',
    'swarm hooks test task.created --input \'{"task_id": "t1", "goal": "short"}\' --json',
    "swarm hooks test tool.after --tool Bash --output 'token=ghp_…'",
    "swarm hooks test PostToolUse --file payload.json",
  ],
  /** In this process, with this shell's environment, whether or not there is a daemon: it is the hooks that are tested. */
  async run(input) {
    const [written] = input.positionals;
    if (written === undefined) throw usage("hooks test", "an event is missing");
    const event = canonicalName(written);
    const data = payloadFor(event, input);
    const runtime = await openLocalRuntime(process.env, { callsWebhooks: input.flags.has("send") });
    try {
      const origin = withToolNames({ cwd: process.cwd(), source: input.options.source ?? "test" }, data);
      const outcome = await runtime.events.emit({
        event,
        data,
        origin,
        actor: `human:${userInfo().username}`,
      });
      const project = runtime.projects.at();
      const { hooks } = project.config;
      const disabled = new Set(hooks.filter(({ id }) => !runtime.switches.isEnabled(id)));
      const inert = hooks.filter(({ id }) => !["own", "trusted"].includes(project.trustOf(id)));
      await runtime.close(); // observers have run then
      if (input.isJson) return json(outcome);
      const isDaemonUp = (await daemonHealth()) !== null;
      const queued = queuedLines(outcome.handlers, isDaemonUp);
      const off = project.inForce.flags.hooks_enabled
        ? ""
        : `${style("yellow", "no hook was called: hooks_enabled is off, see swarm flags list")}\n`;
      return `${report(outcome, hooks, disabled, queued)}${off}${untrustedNote(inert)}`;
    } finally {
      await runtime.close();
    }
  },
};

function payloadFor(event: AnyEventName, { options }: CommandInput): Record<string, unknown> {
  const isToolEvent = "tool_name" in rowOf(canonicalName(event)).payload;
  const input = options.input === undefined ? undefined : parse("--input", options.input);
  const data = options.file === undefined ? {} : parse("--file", readPayloadFile(options.file));
  if (options.output !== undefined && event !== "tool.after")
    throw usage("hooks test", `--output is for tool.after, and ${event} has none`);
  if (!isToolEvent) return { ...data, ...input };
  const { tool_name = options.tool ?? "Bash", tool_input = {} } = data;
  const given = { ...data, tool_name: options.tool ?? tool_name, tool_input: input ?? tool_input };
  if (event !== "tool.after") return given;
  const output = options.output === undefined ? {} : { tool_output: outputFor(options.output) };
  return { tool_output: {}, ...given, ...output };
}

/** A tool may give a text, and a text that is no JSON is one. */
function outputFor(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readPayloadFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usage("hooks test", `--file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(option: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    throw usage("hooks test", `${option} is not JSON: ${(error as Error).message}`);
  }
  throw usage("hooks test", `${option} is not a JSON object`);
}

function report(
  outcome: Outcome,
  configured: readonly HookConfig[],
  disabled: ReadonlySet<HookConfig>,
  queued: readonly string[],
): string {
  const { event, id, decision, handlers, data } = outcome;
  const called = new Set(handlers.map(({ name }) => name));
  const unmatched = configured
    .filter((hook) => !called.has(hook.name))
    .map(
      (hook) =>
        `  ${oneLine(`${hook.name}: ${disabled.has(hook) ? "it is disabled" : whyNot(hook, event)}`)}`,
    );
  return [
    ...decisionLines(event, decision),
    `data: ${oneLine(JSON.stringify(data))}`,
    ...queued,
    `run: ${id}`,
    "",
    handlerTable(handlers).trimEnd(),
    ...(unmatched.length === 0 ? [] : ["", "not called:", ...unmatched]),
    "",
  ].join("\n");
}

/** Nobody should take a hook that was not run for one that has nothing to say. */
function untrustedNote(inert: readonly HookConfig[]): string {
  const [first] = inert;
  if (first === undefined) return "";
  const them = `${inert.length} of the hooks of ${first.source.file} did not run: they are not approved`;
  return `\n${style("yellow", `${them}. Look at them and approve them with swarm trust`)}\n`;
}

function whyNot(hook: HookConfig, event: string): string {
  return hook.event === event ? `its matcher is ${hook.match}` : `it is for ${hook.event}`;
}
