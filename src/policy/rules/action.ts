import type { Origin } from "../../engine/events/envelope.ts";
import {
  readToolName,
  type ToolNames,
  type ToolReading,
  takesCommand,
} from "../../engine/events/tool-names.ts";

/** What is judged, by the event that announces it. A plugin's shell command has no event of its own. */
export const judgedEvents = [
  "tool.before",
  "cron.fired",
  "batch.started",
  "merge.started",
  "plugin.command",
] as const;
export type JudgedEvent = (typeof judgedEvents)[number];

/** Something that is about to happen. */
export interface Action {
  readonly event: JudgedEvent;
  /** What kind of thing: `shell` or `mcp:server/tool` for a tool, the kind of task or processor. Null: not known. */
  readonly kind: string | null;
  /** Of a tool: everything it may be, of which one is true; without it, `kind` is. */
  readonly readings?: readonly ToolReading[];
  /** Whether it is a tool that is not known and takes a command: what is forbidden to a shell is forbidden to it. */
  readonly isLikeShell?: boolean;
  /** Of a tool: whether it is one of the agent's own, so that its arguments mean what they mean there. */
  readonly isBuiltIn?: boolean;
  /** Its own name: of the tool, job, run, branch or plugin. */
  readonly name: string;
  /** Its arguments. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Every name of who does it: its id, its type, the program it is. */
  readonly agents: readonly string[];
  readonly role: string | null;
  readonly nowMs: number;
}

type Data = Readonly<Record<string, unknown>>;

/** How each event's payload says what is about to happen. */
const readers: Readonly<
  Record<
    Exclude<JudgedEvent, "plugin.command">,
    (
      data: Data,
      origin: Origin,
    ) => Pick<Action, "kind" | "name" | "input" | "readings" | "isLikeShell" | "isBuiltIn">
  >
> = {
  "tool.before": ({ tool_name, tool_input }, origin) => {
    const name = text(tool_name) ?? "";
    const input = inputOf(tool_input);
    return { name, input, ...readTool(name, input, origin.toolNames) };
  },
  "cron.fired": ({ task, name, config }) => ({
    kind: text(task),
    name: text(name) ?? "",
    input: record(config),
  }),
  "batch.started": (data) => ({
    kind: text(data.processor),
    name: text(data.name) ?? text(data.run_id) ?? "",
    input: { ...record(data.config), ...present({ input: data.input, output: data.output }) },
  }),
  "merge.started": (data) => ({ kind: null, name: text(data.branch) ?? "", input: data }),
};

/** What a tool is, as far as its name and its arguments tell. */
export function readTool(
  name: string,
  input: Data,
  { readings, isBuiltIn }: ToolNames = readToolName(name),
): Pick<Action, "kind" | "readings" | "isLikeShell" | "isBuiltIn"> {
  return {
    kind: readings[0]?.name ?? null,
    readings,
    isLikeShell: !isBuiltIn && takesCommand(input),
    isBuiltIn,
  };
}

/** The action an event announces; null where nothing is judged. */
export function actionOf(event: string, data: Data, origin: Origin, nowMs: number): Action | null {
  const read = Object.hasOwn(readers, event) ? readers[event as keyof typeof readers] : undefined;
  if (read === undefined) return null;
  const { agent, source } = origin;
  const names = [agent, source, data.agent_id, data.agent_name, data.agent_type];
  return {
    event: event as JudgedEvent,
    ...read(data, origin),
    agents: [...new Set(names.filter((name) => typeof name === "string"))],
    role: text(data.role),
    nowMs,
  };
}

function present(values: Data): Data {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Some tools take a text or a list instead of named arguments, which are to be seen as well. */
function inputOf(value: unknown): Data {
  return typeof value === "string" || Array.isArray(value) ? { input: value } : record(value);
}

function record(value: unknown): Data {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

/** Every text among arguments, however deep. All of them: one that is left out would be one that no rule sees. */
export function textsOf(input: object): string[] {
  const texts: string[] = [];
  const queue: unknown[] = [input];
  for (const value of queue) {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "number" || typeof value === "boolean") texts.push(String(value));
    else if (typeof value === "object" && value !== null) {
      // One by one: as arguments of a call 100,000 are too many.
      for (const inner of Object.values(value)) queue.push(inner);
    }
  }
  return texts;
}
