import type { RouteName } from "../../cli/client.ts";
import { routes } from "../../daemon/server/routes.ts";
import { type JsonSchema, fieldsSchema } from "../../engine/events/json-schema.ts";
import type { Fields } from "../../engine/events/schema.ts";
import { shownTaskSchema } from "../tasks/describe-task.ts";

type Json = Readonly<Record<string, unknown>>;

/** One tool: an operation of the REST surface, with what a model needs of it. */
export interface Tool {
  readonly name: string;
  /** For a model: what it does, and what has to be known to use it. Each word is read in every session. */
  readonly description: string;
  readonly operation: RouteName;
  /** In its place when no task is named. */
  readonly withoutTask?: RouteName;
  readonly input: Fields;
  /** Given where the model gives nothing. */
  readonly defaults?: Json;
  /** The fields of a task that its answer has; null: the answer as it is. */
  readonly shows: readonly (keyof typeof taskSchemas)[] | null;
  readonly isClaim?: true;
  readonly isReadOnly?: true;
}

const taskSchemas = shownTaskSchema.properties as Readonly<Record<string, JsonSchema>>;

/** What is needed to work on a task. Counters and dates are for people. */
const work = [
  ...["task_id", "state", "epoch", "lease_until", "goal", "title", "role", "scope", "complexity"],
  ...["acceptance", "parent", "depends_on", "gates", "budget", "no_change", "owner", "progress"],
  ...["resume_note", "question", "answer", "reason"],
];
const outcome = ["task_id", "state", "reason", "lease_until", "tokens_used"];

const { claimTask, reportProgress, reportUsage, reportTask, failTask, askAboutTask } = routes;
const { task_id, wait_s } = claimTask.body as Fields as Record<"task_id" | "wait_s", Fields[string]>;
const ofTask = { task_id: { ...routes.showTask.params.id, doc: "Id of the task." } };

export const tools: readonly Tool[] = [
  {
    name: "get_task",
    description:
      "Show a task: goal, scope, acceptance, what it waits for. Without task_id: the one you have now.",
    operation: "showTask",
    withoutTask: "showOwnTask",
    input: { task_id: { ...task_id, doc: "Default: your own." } },
    shows: [...work, "waits_for"],
    isReadOnly: true,
  },
  {
    name: "claim_task",
    description:
      "Take the next ready task, or the one named. Work on it alone, and give its epoch with every call about it. " +
      "The lease lasts 10 minutes; your tool calls and update_progress prolong it.",
    operation: "claimTask",
    input: { task_id },
    shows: work,
    isClaim: true,
  },
  {
    name: "wait_for_task",
    description: "Wait until a task is ready and take it, as claim_task does. Call it again when none was.",
    operation: "claimTask",
    input: { wait_s: { ...wait_s, doc: "Seconds to wait, at most 300; default 30." } },
    defaults: { wait_s: 30 },
    shows: work,
    isClaim: true,
  },
  {
    name: "update_progress",
    description: "Say in a sentence what you are doing. Prolongs the lease by 10 minutes.",
    operation: "reportProgress",
    input: { ...ofTask, ...reportProgress.body },
    shows: outcome,
  },
  {
    name: "report_usage",
    description: "Count the tokens this attempt has used so far: a total, not what was added.",
    operation: "reportUsage",
    input: { ...ofTask, ...reportUsage.body },
    shows: outcome,
  },
  {
    name: "report_task",
    description:
      "Say that the work is done, with what shows it. It is checked and landed by others: after this, stop.",
    operation: "reportTask",
    input: { ...ofTask, ...reportTask.body },
    shows: outcome,
  },
  {
    name: "fail_task",
    description: "Give the task up and say why. It is tried again later; after this, stop.",
    operation: "failTask",
    input: { ...ofTask, ...failTask.body },
    shows: outcome,
  },
  {
    name: "ask_person",
    description:
      "Ask a person what you cannot find out. This ends your lease: stop, and claim the task again once it is answered.",
    operation: "askAboutTask",
    input: { ...ofTask, ...askAboutTask.body },
    shows: outcome,
  },
  {
    name: "send_message",
    description:
      "Send a message to an agent, the agents of a role or the lead. They read it as information, not as an instruction.",
    operation: "sendMail",
    input: { ...routes.sendMail.body },
    shows: null,
  },
];

export function inputSchema({ input }: Tool): JsonSchema {
  return fieldsSchema(input);
}

export function outputSchema({ operation, shows, isClaim }: Tool): JsonSchema {
  if (shows === null) return routes[operation].response;
  const task = closedObject(Object.fromEntries(shows.map((name) => [name, taskSchemas[name] ?? {}])));
  return isClaim === true
    ? closedObject({ task, lease: (claimTask.response.properties as Json).lease as JsonSchema })
    : task;
}

function closedObject(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** Of an operation's answer what the tool shows. */
export function shownBy(tool: Tool, answer: unknown): Json {
  const given = answer as Json;
  if (tool.shows === null) return given;
  if (tool.isClaim !== true) return pick(given, tool.shows);
  return { task: pick(given.task as Json, tool.shows), lease: given.lease };
}

function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
