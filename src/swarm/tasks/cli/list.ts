import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";
import type { TaskState } from "../port/transitions.ts";
import { numberIn, type ShownTask, styledState, taskIn } from "./task-input.ts";

export const taskListCommand: Command = {
  summary: "list tasks, newest first",
  positionals: [],
  options: {
    state: "STATE  only those in this state",
    role: "ROLE  only those of this role",
    parent: "TASK  only the parts of this task",
    owner: "OWNER  only those this agent or person has, as agent:ID or human:NAME",
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  next_cursor of the page before",
  },
  examples: [
    "swarm task list",
    "swarm task list --state needs_input",
    "swarm task list --role backend --limit 200 --json",
  ],
  async run(input) {
    const { state, role, parent, owner, cursor } = input.options;
    const limit = numberIn("task list", input, "limit");
    const query = { state: state as TaskState | undefined, role, parent, owner, limit, cursor };
    const found = await withClient((client) => client.call("listTasks", { query }));
    if (input.isJson) return json(found);
    const more = found.next_cursor === null ? "" : `more: --cursor ${found.next_cursor}\n`;
    return found.items.length === 0 ? "no tasks: add one with swarm task add\n" : tableOf(found.items) + more;
  },
};

export const taskReadyCommand: Command = {
  summary: "list the tasks that can be claimed now, in the order in which they will be",
  positionals: [],
  options: { role: "ROLE  those of this role or of none", limit: "N  at most this many; default 50" },
  examples: ["swarm task ready", "swarm task ready --role backend --limit 1 --json"],
  async run(input) {
    const query = { role: input.options.role, limit: numberIn("task ready", input, "limit") };
    const { items } = await withClient((client) => client.call("listReadyTasks", { query }));
    if (input.isJson) return json({ items });
    return items.length === 0
      ? "no task is ready: swarm task list shows what they wait for\n"
      : tableOf(items);
  },
};

export const taskShowCommand: Command = {
  summary: "show one task: what it says, where it stands, what it waits for",
  positionals: ["TASK"],
  examples: ["swarm task show task-abc123", "swarm task show task-abc123 --json"],
  async run(input) {
    const id = taskIn("task show", input);
    const task = await withClient((client) => client.call("showTask", { params: { id } }));
    if (input.isJson) return json(task);
    const lines = Object.entries(task).map(([name, value]) => `${name.padEnd(16)} ${shown(value)}`);
    return `${lines.join("\n")}\n`;
  },
};

export const taskTreeCommand: Command = {
  summary: "show a task with all that is below it",
  positionals: ["TASK"],
  examples: ["swarm task tree task-abc123"],
  async run(input) {
    const id = taskIn("task tree", input);
    const { items } = await withClient((client) => client.call("showTaskTree", { params: { id } }));
    if (input.isJson) return json({ items });
    const rows = items.map(({ task, depth }) => {
      const name = `${"  ".repeat(Math.min(depth, 20))}${task.task_id}`;
      return [name, styledState(task.state), oneLine(task.title ?? task.goal, 80)];
    });
    return table(["TASK", "STATE", "GOAL"], rows);
  },
};

function tableOf(tasks: readonly ShownTask[]): string {
  const rows = tasks.map((task) => [
    task.task_id,
    styledState(task.state),
    String(task.priority),
    task.role ?? "-",
    task.owner ?? "-",
    oneLine(task.title ?? task.goal, 80),
  ]);
  return table(["TASK", "STATE", "PRIORITY", "ROLE", "OWNER", "GOAL"], rows);
}

function shown(value: unknown): string {
  if (value === null) return "-";
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value), 500);
}
