import { integer, joined, number, required, text, texts } from "../schema.ts";
import { conversation } from "./common.ts";

const task = joined(
  {
    task_id: required(text("The task.")),
    role: text("Role that works on it."),
    title: text("Title of the task."),
    goal: text("What it should achieve."),
    priority: integer("Lower numbers go first."),
    scope: texts("Paths the task may touch."),
    complexity: text("Estimated size: `small`, `medium`, `large`."),
    agent_id: text("Agent that works on it."),
    session_id: text("Session that works on it."),
  },
  conversation,
);

export const taskCreated = task;
export const taskClaimed = task;

export const taskCompleted = joined(
  {
    summary: text("What was done."),
    files_changed: texts("Files the task changed."),
    duration_s: number("How long it took, in seconds."),
    tokens_used: integer("Tokens it used."),
  },
  task,
);

export const taskFailed = joined(
  {
    error: text("What went wrong."),
    retry_count: integer("Retries so far."),
    duration_s: number("How long it took, in seconds."),
    tokens_used: integer("Tokens it used."),
  },
  task,
);

export const taskRetried = joined(
  {
    error: text("What went wrong before."),
    retry_count: integer("Retries so far, this one included."),
  },
  task,
);

export const taskCancelled = joined(
  {
    reason: text("Why it was cancelled."),
    cancelled_by: text("Who cancelled it."),
  },
  task,
);

const agent = joined(
  {
    agent_id: required(text("The agent.")),
    session_id: text("Session of the agent."),
    task_id: text("Task it works on."),
    role: text("Role of the agent."),
    model: text("Model it runs on."),
    worktree: text("Directory it works in."),
  },
  conversation,
);

export const agentSpawned = agent;

export const agentHeartbeat = joined(
  {
    progress: text("What it is doing now."),
  },
  agent,
);

export const agentCompleted = joined(
  {
    summary: text("What it did."),
    duration_s: number("How long it ran, in seconds."),
    tokens_used: integer("Tokens it used."),
  },
  agent,
);

export const agentKilled = joined(
  {
    reason: text("Why it was ended."),
    signal: text("Signal that ended it."),
  },
  agent,
);

export const agentStalled = joined(
  {
    reason: text("What it stopped doing."),
    silent_s: number("Seconds since its last sign of life."),
  },
  agent,
);

const merge = joined(
  {
    branch: required(text("Branch that is merged.")),
    base_branch: text("Branch the work started from."),
    target_branch: text("Branch it is merged into."),
    agent_id: text("Agent whose work it is."),
    task_id: text("Task whose work it is."),
    role: text("Role of the agent."),
  },
  conversation,
);

export const mergeStarted = merge;

export const mergeCompleted = joined(
  {
    commit: text("The merge commit."),
    files_changed: texts("Files the merge changed."),
    duration_s: number("How long it took, in seconds."),
  },
  merge,
);

export const mergeConflict = joined(
  {
    conflicting_files: texts("Files in conflict."),
  },
  merge,
);

export const qualityGate = joined(
  {
    gate: required(text("Name of the gate.")),
    task_id: text("Task that was checked."),
    agent_id: text("Agent whose work was checked."),
    role: text("Role of the agent."),
    details: text("What the gate found."),
    duration_s: number("How long it took, in seconds."),
  },
  conversation,
);

export const budget = joined(
  {
    scope: text("What the budget is for: a task, an agent, the whole swarm."),
    current_spend_usd: required(number("Spent so far, in US dollars.")),
    budget_usd: required(number("The budget, in US dollars.")),
    percent: number("Share of the budget that is spent, from 0 to 100 and over."),
    task_id: text("Task that spent it."),
    agent_id: text("Agent that spent it."),
  },
  conversation,
);
