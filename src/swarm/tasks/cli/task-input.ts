import { oneLine } from "../../../base/show.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";
import { style } from "../../../cli/style.ts";
import type { ResultOf } from "../../../cli/client.ts";
import type { TaskState } from "../port/transitions.ts";

export type ShownTask = ResultOf<"addTask">;

export function taskIn(command: string, { positionals: [id] }: CommandInput): string {
  if (id === undefined) throw usage(command, "the id of a task is missing");
  return id;
}

export function needed(command: string, { options }: CommandInput, name: string): string {
  const value = options[name];
  if (value === undefined) throw usage(command, `--${name} is missing`);
  return value;
}

/** The number an option gives; undefined when it is not given. */
export function numberIn(command: string, { options }: CommandInput, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value))
    throw usage(command, `--${name} is ${JSON.stringify(value)}, expected a number`);
  return Number(value);
}

/** `a,b` as two. */
export function listIn({ options }: CommandInput, name: string): string[] | undefined {
  return options[name]
    ?.split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The lease a command is about: the epoch that the claim printed. */
export function epochIn(command: string, input: CommandInput): number {
  const epoch = numberIn(command, input, "epoch");
  if (epoch === undefined) throw usage(command, "--epoch is missing: the claim has printed it");
  return epoch;
}

export const epochOption = { epoch: "N  of the lease, as the claim printed it" };

export function styledState(state: TaskState) {
  const format =
    state === "landed"
      ? "green"
      : state === "failed" || state === "needs_input" || state === "blocked"
        ? "red"
        : "yellow";
  return state === "open" ? state : ({ format, text: state } as const);
}

export function lineOf({ task_id, state, goal, title, reason }: ShownTask): string {
  const shown = style(state === "landed" ? "green" : "yellow", state);
  const why = reason === null ? "" : ` (${oneLine(reason, 200)})`;
  return `${task_id} is ${shown}${why}: ${oneLine(title ?? goal, 80)}\n`;
}
