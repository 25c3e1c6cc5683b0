import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with tasks and the agents that work on them. */
export const swarmErrors = {
  SWARM_TASK_UNKNOWN: row<{ task: unknown }>({
    meaning: "There is no task with this id.",
    remedy: "See `swarm task list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ task }) => `there is no task ${show(task)}`,
  }),
  SWARM_TASK_EXISTS: row<{ task: string }>({
    meaning: "A task was to be added whose id another task has. Nothing was added.",
    remedy: "Give another id, or none; change the task that is there with `swarm task edit`.",
    status: 409,
    exitCode: 65,
    message: ({ task }) => `a task ${show(task)} is there already, expected another id`,
  }),
  SWARM_TASK_STATE: row<{
    task: string;
    action: string;
    state: string;
    from: readonly string[];
    to: readonly string[];
  }>({
    meaning: "A task is not in a state from which this can be done.",
    remedy: "See docs/task-states.md for what leads where, and `swarm task show` for how the task stands.",
    status: 409,
    exitCode: 65,
    message: ({ task, action, state, from, to }) =>
      `task ${show(task)} is ${state}: ${action} leads from ${from.join(" or ")} to ${to.join(" or ")}`,
  }),
  SWARM_TASK_CHANGED: row<{ task: string }>({
    meaning: "A task was changed by somebody else at the same moment, again and again. Nothing was done.",
    remedy: "Look at it again, and repeat what you wanted.",
    status: 409,
    exitCode: 65,
    message: ({ task }) => `task ${show(task)} was changed by somebody else meanwhile, expected it as it was`,
  }),
  SWARM_TASK_CYCLE: row<{ cycle: readonly string[] }>({
    meaning: "Tasks would wait for each other in a circle, and none could ever begin.",
    remedy: "Leave out one of the dependencies that the message names.",
    status: 400,
    exitCode: 65,
    message: ({ cycle }) =>
      `tasks would wait for each other: ${oneLine(cycle.join(" → "), 500)}, expected no circle`,
  }),
  SWARM_TASK_REFUSED: row<{ what: string; reason: string }>({
    meaning:
      "A hook, a rule or a person refused that a task is added or claimed, or an agent started. It was not.",
    remedy: "Read the reason; `swarm hooks explain` shows which hooks decide.",
    status: 403,
    exitCode: 65,
    message: ({ what, reason }) => `${what} was refused: ${oneLine(reason, 1_000)}`,
  }),
  SWARM_TASK_NOT_READY: row<{ task: string; why: string }>({
    meaning: "A task was to be claimed that nobody can claim now.",
    remedy: "See `swarm task ready` for those that can be claimed.",
    status: 409,
    exitCode: 65,
    message: ({ task, why }) => `task ${show(task)} is not ready: ${oneLine(why, 500)}`,
  }),
  SWARM_TASK_NONE_READY: row<{ role: string | null }>({
    meaning: "No task can be claimed now.",
    remedy: "Wait, or see `swarm task list` for what the open tasks wait for.",
    status: 404,
    exitCode: 65,
    message: ({ role }) => `no task is ready${role === null ? "" : ` for the role ${show(role)}`}`,
  }),
  SWARM_TASK_NONE_HELD: row<{ actor: string }>({
    meaning: "Whoever asked for their own task has none.",
    remedy: "Claim one with `swarm task claim`.",
    status: 404,
    exitCode: 65,
    message: ({ actor }) => `${show(actor)} has no task now`,
  }),
  SWARM_TASK_EVIDENCE_MISSING: row<{ task: string }>({
    meaning: "A task that changes no files was reported as done with nothing to show for it.",
    remedy: "Report it with evidence: what was looked at, and what was found.",
    status: 400,
    exitCode: 65,
    message: ({ task }) =>
      `task ${show(task)} changes no files: its report needs evidence, expected at least one piece`,
  }),
  SWARM_TASKS_INVALID: row<{ at: number; problem: string }>({
    meaning: "A file of tasks could not be read. None of its tasks was added.",
    remedy: "Correct the task it names; docs/swarm.md shows the form.",
    status: 400,
    exitCode: 65,
    message: ({ at, problem }) =>
      at === 0
        ? `the file of tasks is not one: ${oneLine(problem, 500)}`
        : `task ${at} of the file: ${oneLine(problem, 500)}`,
  }),
  SWARM_AGENT_UNKNOWN: row<{ agent: unknown }>({
    meaning: "There is no agent with this id.",
    remedy: "See `swarm agents list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ agent }) => `there is no agent ${show(agent)}`,
  }),
  SWARM_AGENT_EXISTS: row<{ agent: string }>({
    meaning: "An agent was to be registered whose id another one has or had.",
    remedy: "Give another id, or none.",
    status: 409,
    exitCode: 65,
    message: ({ agent }) => `there is or was an agent ${show(agent)}, expected another id`,
  }),
  SWARM_AGENT_CHANGED: row<{ agent: string }>({
    meaning: "An agent was changed by somebody else at the same moment. Nothing was done.",
    remedy: "Look at it again, and repeat what you wanted.",
    status: 409,
    exitCode: 65,
    message: ({ agent }) =>
      `agent ${show(agent)} was changed by somebody else meanwhile, expected it as it was`,
  }),
  SWARM_AGENT_ENDED: row<{ agent: string; status: string }>({
    meaning: "An agent that has ended was to do something, or to be ended once more.",
    remedy: "Register another agent with `swarm agents register`.",
    status: 409,
    exitCode: 65,
    message: ({ agent, status }) => `agent ${show(agent)} is ${status}, expected one that runs`,
  }),
  SWARM_AGENT_TOKEN_MISSING: row<{ where: string }>({
    meaning: "The tools of `swarm mcp` are for agents of the swarm, who are known by a token of their own.",
    remedy:
      "Register the agent with `swarm agents register` and start it with the SWARM_AGENT_TOKEN it prints; people use `swarm task`.",
    status: 401,
    exitCode: 64,
    message: ({ where }) => `${where} has no agent's token, expected the one of an agent that was registered`,
  }),
  SWARM_LEASE_STALE: row<{ task: string; epoch: number; why: string }>({
    meaning:
      "Whoever asked does not have the task any more: its lease ended, and maybe somebody else has the task.",
    remedy: "Stop working on it. Claim a task with `swarm task claim`.",
    status: 409,
    exitCode: 65,
    message: ({ task, epoch, why }) => `lease ${epoch} of task ${show(task)} is over: ${oneLine(why, 500)}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
