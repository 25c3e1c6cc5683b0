import { type ResultOf, withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { parseJson } from "../../../base/parse-json.ts";
import { usage } from "../../../cli/command.ts";
import { epochIn, epochOption, lineOf, listIn, needed, numberIn, taskIn } from "./task-input.ts";

const tokens = { tokens: "N  tokens this attempt has used so far" };

export const taskClaimCommand: Command = {
  summary: "claim the next ready task, or one that is named; prints the epoch of the lease",
  positionals: ["TASK"],
  options: {
    role: "ROLE  tasks of this role or of none; default any",
    pid: "PID  the process that works on it: when it ends, the task is given to others",
    wait: "SECONDS  how long to wait for one where none is ready, at most 300; default 0",
  },
  examples: [
    "swarm task claim",
    "swarm task claim --role backend --wait 60 --json",
    "swarm task claim task-abc123",
  ],
  async run(input) {
    const { positionals, options, isJson } = input;
    const body = {
      role: options.role,
      task_id: positionals[0],
      pid: numberIn("task claim", input, "pid"),
      wait_s: numberIn("task claim", input, "wait"),
    };
    const claimed = await withClient((client) => client.call("claimTask", { body }));
    return isJson ? json(claimed) : claimLines(claimed);
  },
};

function claimLines({ task, lease }: ResultOf<"claimTask">): string {
  const note = task.resume_note === null ? "" : `${task.resume_note}\n`;
  return `${lineOf(task)}${note}lease ${lease.epoch} until ${lease.expires_at}: renew or report with --epoch ${lease.epoch}\n`;
}

export const taskRenewCommand: Command = {
  summary: "prolong the lease of a task by ten minutes; with what is being done, or the tokens it has used",
  positionals: ["TASK"],
  options: { ...epochOption, ...tokens, progress: "TEXT  what is being done" },
  examples: [
    "swarm task renew task-abc123 --epoch 1",
    'swarm task renew task-abc123 --epoch 1 --progress "writing tests" --tokens 12000',
  ],
  async run(input) {
    const id = taskIn("task renew", input);
    const epoch = epochIn("task renew", input);
    const { progress } = input.options;
    if (progress !== undefined) {
      const body = { epoch, progress, tokens: numberIn("task renew", input, "tokens") };
      const task = await withClient((client) => client.call("reportProgress", { params: { id }, body }));
      return input.isJson ? json(task) : lineOf(task);
    }
    const tokens = numberIn("task renew", input, "tokens");
    if (tokens !== undefined) {
      const task = await withClient((client) =>
        client.call("reportUsage", { params: { id }, body: { epoch, tokens } }),
      );
      return input.isJson ? json(task) : lineOf(task);
    }
    const lease = await withClient((client) =>
      client.call("renewLease", { params: { id }, body: { epoch } }),
    );
    return input.isJson ? json(lease) : `lease ${lease.epoch} of ${id} is good until ${lease.expires_at}\n`;
  },
};

export const taskReportCommand: Command = {
  summary: "say that the work is done; it still has to pass its gates and land",
  positionals: ["TASK"],
  options: {
    ...epochOption,
    ...tokens,
    summary: "TEXT  what was done",
    files: "PATHS  files that were changed, with commas between them",
    evidence: "JSON  a list of what shows that it is done",
  },
  examples: [
    'swarm task report task-abc123 --epoch 1 --summary "Added feature X with tests" --files src/x.py,tests/test_x.py',
    'swarm task report task-look --epoch 1 --summary "No leak" --evidence \'[{"what": "heap after 1 h", "where": "heap.txt"}]\'',
  ],
  async run(input) {
    const id = taskIn("task report", input);
    const body = {
      epoch: epochIn("task report", input),
      summary: needed("task report", input, "summary"),
      files_changed: listIn(input, "files"),
      evidence: evidenceIn(input.options.evidence),
      tokens: numberIn("task report", input, "tokens"),
    };
    const task = await withClient((client) => client.call("reportTask", { params: { id }, body }));
    return input.isJson ? json(task) : lineOf(task);
  },
};

function evidenceIn(written: string | undefined): unknown[] | undefined {
  if (written === undefined) return undefined;
  try {
    const read: unknown = parseJson(written);
    if (Array.isArray(read)) return read;
  } catch {
    // said below
  }
  throw usage("task report", "--evidence is no JSON list");
}

export const taskFailCommand: Command = {
  summary: "give a task up; it is retried after a pause, unless it failed too often",
  positionals: ["TASK"],
  options: {
    ...epochOption,
    ...tokens,
    error: "TEXT  what went wrong",
    ending: "failed|timed_out|rate_limited  how it ended; a rate limit costs no attempt; default failed",
    "resets-at": "TIME  of a rate limit: when it is reset",
  },
  examples: [
    'swarm task fail task-abc123 --epoch 1 --error "Test suite failed"',
    'swarm task fail task-abc123 --epoch 1 --ending rate_limited --error "usage limit" --resets-at 2026-01-31T12:00:00Z',
  ],
  async run(input) {
    const id = taskIn("task fail", input);
    const { ending, "resets-at": resets_at } = input.options;
    const body = {
      epoch: epochIn("task fail", input),
      error: needed("task fail", input, "error"),
      ending: ending as "failed" | undefined,
      resets_at,
      tokens: numberIn("task fail", input, "tokens"),
    };
    const task = await withClient((client) => client.call("failTask", { params: { id }, body }));
    return input.isJson ? json(task) : lineOf(task);
  },
};

export const taskAskCommand: Command = {
  summary: "ask a person about a task; it goes on when it is answered",
  positionals: ["TASK", "QUESTION"],
  options: epochOption,
  examples: ['swarm task ask task-abc123 "Which port should it use?" --epoch 1'],
  async run(input) {
    const id = taskIn("task ask", input);
    const question = input.positionals[1];
    if (question === undefined) throw usage("task ask", "the question is missing, in quotes");
    const body = { epoch: epochIn("task ask", input), question };
    const task = await withClient((client) => client.call("askAboutTask", { params: { id }, body }));
    return input.isJson ? json(task) : lineOf(task);
  },
};
