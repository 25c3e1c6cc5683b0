import { readFileSync } from "node:fs";
import type { HookConfig } from "../config/hook-config.ts";
import { type AnyEventName, canonicalName, rowOf } from "../events/names.ts";
import type { HandlerRecord, Outcome } from "../events/outcome.ts";
import type { RunEvent } from "../ports/audit.ts";
import { type Command, type CommandInput, usage } from "./command.ts";
import { openRuntime } from "./home.ts";
import { table } from "./table.ts";

export const hooksListCommand: Command = {
  summary: "list the hooks in force in this folder, and where each is declared",
  positionals: [],
  examples: ["swarm hooks list", "swarm hooks list --json"],
  run({ isJson }) {
    const runtime = openRuntime();
    const { config } = runtime;
    const last = lastResults(runtime.audit.newest());
    if (isJson)
      return json({
        files: config.files,
        hooks: config.hooks.map((hook) => describe(hook, last)),
        skipped: config.skipped,
      });
    if (config.hooks.length === 0) return "no hooks: write some into swarm.yaml, see docs/configuration.md\n";
    const rows = config.hooks.map((hook) => {
      const { name, event, match, kind, mode, priority, timeout_s, on_failure, last_result, source } =
        describe(hook, last);
      const numbers = [String(priority), `${timeout_s} s`];
      return [name, event, match, kind, mode, ...numbers, on_failure, last_result ?? "never ran", source];
    });
    const head = [
      "NAME",
      "EVENT",
      "MATCH",
      "KIND",
      "MODE",
      "PRIORITY",
      "TIMEOUT",
      "ON FAILURE",
      "LAST RESULT",
      "SOURCE",
    ];
    return (
      table(head, rows) +
      config.skipped.map((skip) => `skipped ${skip.nativeEvent}: ${skip.reason}\n`).join("")
    );
  },
};

export const hooksTestCommand: Command = {
  summary: "run the real hooks of this folder for an event, without any agent, and show what each did",
  positionals: ["EVENT"],
  options: {
    tool: "NAME   the tool, for tool events",
    input: "JSON  the tool's input for tool events, else the payload",
    file: "FILE   a file with the whole payload",
  },
  examples: [
    'swarm hooks test tool.before --tool Bash --input \'{"command": "git push --force"}\'',
    'swarm hooks test task.created --input \'{"task_id": "t1", "goal": "short"}\' --json',
    "swarm hooks test PostToolUse --file payload.json",
  ],
  async run(input) {
    const [written] = input.positionals;
    if (written === undefined) throw usage("hooks test", "an event is missing");
    const event = canonicalName(written);
    const data = payloadFor(event, input);
    const runtime = openRuntime();
    const outcome = await runtime.emit(event, data, { cwd: process.cwd(), source: "cli" });
    await runtime.close();
    return input.isJson ? json(outcome) : report(outcome, runtime.config.hooks);
  },
};

export const hooksExplainCommand: Command = {
  summary: "show what was decided in a recorded run, and what each hook did",
  positionals: ["RUN_ID"],
  examples: ["swarm hooks explain evt_0mwicqnu5cdb270a98b058d3596f4"],
  run({ positionals: [id], isJson }) {
    if (id === undefined) throw usage("hooks explain", "a run id is missing");
    const found = openRuntime()
      .audit.newest()
      .find((runEvent) => runEvent.id === id);
    if (found === undefined)
      throw usage("hooks explain", `no recent run has the id ${JSON.stringify(id.slice(0, 64))}`);
    if (isJson) return json(found);
    const { event, time, verdict, reason, hook, handlers } = found;
    return [
      `${time} ${event}: ${verdict}${hook === null ? "" : ` by ${hook}`}`,
      ...(reason === null ? [] : [`reason: ${reason}`]),
      "",
      handlerTable(handlers),
    ].join("\n");
  },
};

function payloadFor(event: AnyEventName, { options }: CommandInput): Record<string, unknown> {
  const isToolEvent = "tool_name" in rowOf(canonicalName(event)).payload;
  const input = options.input === undefined ? undefined : parse("--input", options.input);
  const data: Record<string, unknown> =
    options.file === undefined ? {} : parse("--file", readFileSync(options.file, "utf8"));
  if (!isToolEvent) return { ...data, ...input };
  const { tool_name = options.tool ?? "Bash", tool_input = {} } = data;
  const given = { ...data, tool_name: options.tool ?? tool_name, tool_input: input ?? tool_input };
  return event === "tool.after" ? { tool_output: {}, ...given } : given;
}

function parse(option: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    throw usage(
      "hooks test",
      `${option} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw usage("hooks test", `${option} is not a JSON object`);
}

/** How each hook ended the last time it was called. */
function lastResults(newestFirst: readonly RunEvent[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const { handlers } of newestFirst) {
    for (const { name, status } of handlers)
      if (!last.has(name) && status !== "skipped") last.set(name, status);
  }
  return last;
}

function report(outcome: Outcome, configured: readonly HookConfig[]): string {
  const { event, id, decision, handlers, data } = outcome;
  const called = new Set(handlers.map(({ name }) => name));
  const unmatched = configured
    .filter((hook) => !called.has(hook.name))
    .map((hook) => unmatchedLine(hook, event));
  return [
    `${event}: ${decision.verdict}${decision.hook === null ? "" : ` by ${decision.hook}`}`,
    ...(decision.reason === null ? [] : [`reason: ${decision.reason}`]),
    ...decision.context.map((text) => `context: ${text}`),
    ...(decision.stop === null ? [] : [`stop: ${decision.stop}`]),
    `data: ${JSON.stringify(data)}`,
    `run: ${id}`,
    "",
    handlerTable(handlers).trimEnd(),
    ...(unmatched.length === 0 ? [] : ["", "not called:", ...unmatched]),
    "",
  ].join("\n");
}

function handlerTable(handlers: readonly HandlerRecord[]): string {
  const rows = handlers.map(({ name, kind, mode, status, verdict, ms, reason }) => {
    return [name, kind, mode, status, verdict, `${ms.toFixed(1)} ms`, reason ?? ""];
  });
  return table(["HOOK", "KIND", "MODE", "STATUS", "VERDICT", "TOOK", "REASON"], rows);
}

function unmatchedLine(hook: HookConfig, event: string): string {
  const why = hook.event === event ? `its matcher is ${hook.match}` : `it is for ${hook.event}`;
  return `  ${hook.name}: ${why}`;
}

function describe(hook: HookConfig, last: ReadonlyMap<string, string>) {
  const { id, name, event, match, mode, priority, timeoutMs, onFailure, onDenied, plugin, dialect, action } =
    hook;
  const { file, line, column } = hook.source;
  return {
    id,
    name,
    event,
    match,
    when: hook.when,
    kind: action.kind,
    mode,
    priority,
    timeout_s: timeoutMs / 1000,
    on_failure: onFailure,
    on_denied: onDenied,
    plugin,
    dialect,
    last_result: last.get(name) ?? null,
    source: `${file}:${line}:${column}`,
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
