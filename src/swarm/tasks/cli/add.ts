import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseDocument } from "yaml";
import { SwarmError } from "../../../base/errors.ts";
import { parseJson } from "../../../base/parse-json.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, type CommandInput, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { lineOf, listIn, numberIn, taskIn } from "./task-input.ts";

const said = {
  title: "TEXT  a short name",
  role: "ROLE  the role that works on it; default any",
  priority: "N  lower numbers go first, 0 to 9; default 2",
  scope: "PATHS  paths it may touch, with commas between them",
  complexity: "small|medium|large  estimated size; default medium",
  acceptance: "TEXT  when it counts as done",
  "depends-on": "TASKS  tasks that have to land first, with commas between them",
  gates: "NAMES  quality gates its work has to pass, with commas between them",
  "max-attempts": "N  attempts over its lifetime; default 10",
};

export const taskAddCommand: Command = {
  summary: "add a task, or those of a file: all of them, or none when one is wrong or a hook refuses it",
  positionals: ["GOAL"],
  options: {
    ...said,
    id: "ID  its id; default one that is made",
    parent: "TASK  the task it is part of",
    file: "FILE  tasks as YAML or JSON (a list, or `tasks:`), or as JSON lines (.jsonl)",
  },
  flags: { "no-change": { doc: "it changes no files, and is done with its report and evidence" } },
  examples: [
    'swarm task add "Implement feature X" --role backend --scope src/feature_x/ --priority 1',
    'swarm task add "Write the migration guide" --depends-on task-api,task-cli',
    "swarm task add --file tasks.yaml",
  ],
  async run(input) {
    const { positionals, options, flags, isJson } = input;
    const [goal] = positionals;
    if (options.file !== undefined) {
      if (goal !== undefined) throw usage("task add", "--file has the goals: expected none beside it");
      const tasks = readTasks(options.file);
      const { items } = await withClient((client) => client.call("importTasks", { body: { tasks } }));
      return isJson ? json({ tasks: items }) : items.map(lineOf).join("");
    }
    if (goal === undefined) throw usage("task add", "the goal is missing, in quotes, or --file");
    const { id: task_id, parent } = options;
    const body = {
      cwd: process.cwd(),
      goal,
      task_id,
      parent,
      ...(flags.has("no-change") && { no_change: true }),
      ...saidIn("task add", input),
    };
    const task = await withClient((client) => client.call("addTask", { body: body as never }));
    return isJson ? json(task) : lineOf(task);
  },
};

export const taskEditCommand: Command = {
  summary: "change what is given of a task, and leave the rest",
  positionals: ["TASK"],
  options: { goal: "TEXT  what it should achieve", ...said },
  examples: [
    "swarm task edit task-abc123 --priority 0",
    'swarm task edit task-abc123 --acceptance "all tests pass" --depends-on task-api',
  ],
  async run(input) {
    const id = taskIn("task edit", input);
    const { goal } = input.options;
    const body = { ...(goal !== undefined && { goal }), ...saidIn("task edit", input) };
    if (Object.keys(body).length === 0) throw usage("task edit", "nothing to change is given");
    const task = await withClient((client) =>
      client.call("editTask", { params: { id }, body: body as never }),
    );
    return input.isJson ? json(task) : lineOf(task);
  },
};

function saidIn(command: string, input: CommandInput): Readonly<Record<string, unknown>> {
  const { title, role, complexity, acceptance } = input.options;
  const found = {
    title,
    role,
    complexity,
    acceptance,
    priority: numberIn(command, input, "priority"),
    max_attempts: numberIn(command, input, "max-attempts"),
    scope: listIn(input, "scope"),
    depends_on: listIn(input, "depends-on"),
    gates: listIn(input, "gates"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The tasks of a file. A folder in it counts from where the file is; a task that names none belongs to the current one. */
function readTasks(file: string): unknown[] {
  const text = readText(file);
  const read = file.endsWith(".jsonl") ? readLines(text) : readList(file, text);
  return read.map((task) => {
    if (typeof task !== "object" || task === null) return task;
    const { cwd } = task as { cwd?: unknown };
    return { ...task, cwd: typeof cwd === "string" ? resolve(file, "..", cwd) : process.cwd() };
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usage("task add", `${file} cannot be read: ${(error as Error).message}`);
  }
}

function readLines(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, at) => {
    try {
      return parseJson(line) as unknown;
    } catch (error) {
      throw invalid(at + 1, (error as Error).message);
    }
  });
}

function readList(file: string, text: string): unknown[] {
  const document = parseDocument(text, { prettyErrors: false, stringKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw invalid(0, `${file}: ${problem.message}`);
  const read = document.toJS({ maxAliasCount: 100 }) as unknown;
  const tasks = Array.isArray(read) ? read : (read as { tasks?: unknown } | null)?.tasks;
  if (!Array.isArray(tasks)) throw invalid(0, `${file} is neither a list of tasks nor has one as \`tasks\``);
  return tasks;
}

function invalid(at: number, problem: string): SwarmError {
  return new SwarmError("SWARM_TASKS_INVALID", { at, problem });
}
