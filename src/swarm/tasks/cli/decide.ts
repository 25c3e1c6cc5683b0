import { type Client, withClient } from "../../../cli/client.ts";
import { type Command, type CommandInput, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { lineOf, needed, type ShownTask, taskIn } from "./task-input.ts";

const because = { reason: "TEXT  why" };

interface Decision {
  readonly name: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly more?: readonly string[];
  readonly examples: readonly string[];
  decide(client: Client, id: string, input: CommandInput): Promise<ShownTask>;
}

/** What a person says of a task is a command of one shape. */
function decision({ name, summary, options = {}, more = [], examples, decide }: Decision): Command {
  return {
    summary,
    positionals: ["TASK", ...more],
    options,
    examples,
    async run(input) {
      const id = taskIn(name, input);
      const task = await withClient((client) => decide(client, id, input));
      return input.isJson ? json(task) : lineOf(task);
    },
  };
}

const reasonIn = (name: string, input: CommandInput) => ({ reason: needed(name, input, "reason") });

export const taskAcceptCommand = decision({
  name: "task accept",
  summary: "say that a task's work has landed elsewhere; it is recorded as your word",
  options: because,
  examples: ['swarm task accept task-abc123 --reason "merged by hand as 4f2a91c"'],
  decide: (client, id, input) =>
    client.call("acceptTask", { params: { id }, body: reasonIn("task accept", input) }),
});

export const taskSendBackCommand = decision({
  name: "task send-back",
  summary: "want more work on what was reported",
  options: because,
  examples: ['swarm task send-back task-abc123 --reason "the tests cover only the happy path"'],
  decide: (client, id, input) =>
    client.call("sendBackTask", { params: { id }, body: reasonIn("task send-back", input) }),
});

export const taskAnswerCommand = decision({
  name: "task answer",
  summary: "answer what a task's holder has asked; it can be claimed again",
  more: ["ANSWER"],
  examples: ['swarm task answer task-abc123 "Use port 8080"'],
  decide: (client, id, { positionals: [, answer] }) => {
    if (answer === undefined) throw usage("task answer", "the answer is missing, in quotes");
    return client.call("answerTask", { params: { id }, body: { answer } });
  },
});

export const taskBlockCommand = decision({
  name: "task block",
  summary: "keep an open task from being claimed",
  options: because,
  examples: ['swarm task block task-abc123 --reason "waits for the vendor"'],
  decide: (client, id, input) =>
    client.call("blockTask", { params: { id }, body: reasonIn("task block", input) }),
});

export const taskUnblockCommand = decision({
  name: "task unblock",
  summary: "let a blocked task be claimed again",
  examples: ["swarm task unblock task-abc123"],
  decide: (client, id) => client.call("unblockTask", { params: { id } }),
});

export const taskRetryCommand = decision({
  name: "task retry",
  summary: "try a failed task again at once; where its attempts are used, one more is allowed",
  examples: ["swarm task retry task-abc123"],
  decide: (client, id) => client.call("retryTask", { params: { id } }),
});

export const taskCancelCommand = decision({
  name: "task cancel",
  summary: "cancel a task with all that is below it; who works on it loses the lease",
  options: because,
  examples: ['swarm task cancel task-abc123 --reason "not wanted any more"'],
  decide: (client, id, input) =>
    client.call("cancelTask", { params: { id }, body: reasonIn("task cancel", input) }),
});

export const taskSupersedeCommand = decision({
  name: "task supersede",
  summary: "have another task take this one's place, also for those that wait for it",
  options: { by: "TASK  the other task" },
  examples: ["swarm task supersede task-abc123 --by task-def456"],
  decide: (client, id, input) =>
    client.call("supersedeTask", { params: { id }, body: { by: needed("task supersede", input, "by") } }),
});

export const taskReopenCommand = decision({
  name: "task reopen",
  summary: "want a cancelled or superseded task after all",
  examples: ["swarm task reopen task-abc123"],
  decide: (client, id) => client.call("reopenTask", { params: { id } }),
});
