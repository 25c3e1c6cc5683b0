import { SwarmError } from "../../base/errors.ts";
import { integer, list, oneOf, required, text, texts } from "../../engine/events/schema.ts";
import { timeOf } from "../../daemon/rest/values.ts";
import { route } from "../../daemon/rest/route.ts";
import { swarmOf, taskId } from "../asker-routes.ts";
import { processOf } from "../open-swarm.ts";
import { claimSchema, describeTask, leaseSchema, shownTaskSchema, taskSchema } from "./describe-task.ts";
import { taskFields } from "./port/task.ts";

const epoch = { epoch: required({ ...integer("Of the caller's lease."), min: 1, max: 1e9 }) };
const tokens = { tokens: { ...integer("Tokens this attempt has used so far."), min: 0, max: 1e15 } };
const failures = ["failed", "timed_out", "rate_limited"] as const;

/** What whoever has a task's lease does. Each names the epoch of its lease; another's is refused with 409. */
export const leaseRoutes = {
  claimTask: route({
    method: "POST",
    path: "/api/v1/task-claims",
    summary: "Claim the next ready task, or one that is named; hooks of `task.claimed` may refuse it",
    forAgents: "worker",
    body: {
      role: { ...taskFields.role, doc: "Tasks of this role or of none; an agent's own role counts instead." },
      task_id: { ...taskFields.task_id, doc: "This task; default the next that is ready." },
      pid: {
        ...integer("Process that will work on it, on the daemon's machine: when it ends, so does the lease."),
        min: 1,
        max: 2 ** 31,
      },
      wait_s: {
        ...integer("How long to wait for a task where none is ready, in seconds, at most 300; default 0."),
        min: 0,
        max: 300,
      },
    },
    response: claimSchema,
    async handle(context, { body: { role = null, task_id: wanted = null, pid, wait_s = 0 } }) {
      const { claimWhenReady } = await swarmOf(context);
      const { actor, caller } = context;
      const process = pid === undefined ? null : processOf(pid);
      const own = caller.agent === undefined ? role : caller.agent.role;
      const wish = { actor, role: own, taskId: wanted, process };
      // The request is made whole for its signal: only where there is anything to wait for.
      const signal = wait_s === 0 ? undefined : context.signal;
      const { task, lease } = await claimWhenReady.claim(wish, wait_s * 1_000, signal);
      return { task: describeTask(task), lease };
    },
  }),

  showOwnTask: route({
    method: "GET",
    path: "/api/v1/own-task",
    summary: "Show the task the caller has now, with its epoch",
    forAgents: "worker",
    response: shownTaskSchema,
    async handle(context) {
      const { leases, tasks } = await swarmOf(context);
      const task = await leases.heldBy(context.actor);
      if (task === null) throw new SwarmError("SWARM_TASK_NONE_HELD", { actor: context.actor });
      return { ...describeTask(task), waits_for: await tasks.waitsFor(task.task_id) };
    },
  }),

  renewLease: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/renew",
    summary: "Prolong the lease of a task",
    forAgents: "worker",
    params: taskId,
    body: epoch,
    response: leaseSchema,
    async handle(context, { params: { id }, body }) {
      return (await swarmOf(context)).leases.renew(id, { actor: context.actor, epoch: body.epoch });
    },
  }),

  reportProgress: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/progress",
    summary: "Say what is being done; prolongs the lease",
    forAgents: "worker",
    params: taskId,
    body: { ...epoch, ...tokens, progress: required(text("What is being done.")) },
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { leases } = await swarmOf(context);
      const holder = { actor: context.actor, epoch: body.epoch };
      return describeTask(await leases.progress(id, holder, body.progress, body.tokens));
    },
  }),

  reportUsage: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/usage",
    summary: "Count tokens for the task's whole life; prolongs the lease",
    forAgents: "worker",
    params: taskId,
    body: { ...epoch, tokens: required(tokens.tokens) },
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { leases } = await swarmOf(context);
      const holder = { actor: context.actor, epoch: body.epoch };
      return describeTask(await leases.progress(id, holder, null, body.tokens));
    },
  }),

  reportTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/report",
    summary: "Say that the work is done; it still has to pass its gates and land",
    forAgents: "worker",
    params: taskId,
    body: {
      ...epoch,
      ...tokens,
      summary: required(text("What was done.")),
      files_changed: texts("Files that were changed."),
      evidence: list("What shows that it is done; a task that changes no files needs some."),
    },
    response: taskSchema,
    async handle(context, { params: { id }, body: { epoch: own, ...report } }) {
      const { leases } = await swarmOf(context);
      return describeTask(await leases.report(id, { actor: context.actor, epoch: own }, report));
    },
  }),

  failTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/fail",
    summary: "Give a task up; it is retried after a pause, unless it failed too often",
    forAgents: "worker",
    params: taskId,
    body: {
      ...epoch,
      ...tokens,
      error: required(text("What went wrong.")),
      ending: oneOf(failures, "How it ended; a rate limit costs no attempt. Default failed."),
      resets_at: text("Of a rate limit: when it is reset, as an ISO time."),
    },
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { leases } = await swarmOf(context);
      const { epoch: own, error, ending = "failed", resets_at, tokens: used } = body;
      const holder = { actor: context.actor, epoch: own };
      const task =
        ending === "rate_limited"
          ? await leases.pause(id, holder, error, timeOf(resets_at) ?? null)
          : await leases.fail(id, holder, error, { ending, tokens: used });
      return describeTask(task);
    },
  }),

  askAboutTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/ask",
    summary: "Ask a person; the task goes on when it is answered",
    forAgents: "worker",
    params: taskId,
    body: { ...epoch, question: required(text("The question.")) },
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { leases } = await swarmOf(context);
      return describeTask(await leases.ask(id, { actor: context.actor, epoch: body.epoch }, body.question));
    },
  }),
};
