import { list, oneOf, required, text } from "../../engine/events/schema.ts";
import { page, pageOf, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { count } from "../../daemon/rest/shapes.ts";
import { askerOf, swarmOf, taskId } from "../asker-routes.ts";
import { describeTask, describeTree, shownTaskSchema, taskSchema, treeSchema } from "./describe-task.ts";
import { editFields, taskFields } from "./port/task.ts";
import { taskStates } from "./port/transitions.ts";

const because = { reason: required(text("Why, in a sentence.")) };

/** Tasks: what there is to do. A worker may add tasks below its own; what becomes of tasks is a person's or a lead's to say. */
export const taskRoutes = {
  addTask: route({
    method: "POST",
    path: "/api/v1/tasks",
    summary: "Add a task; hooks of `task.created` may refuse it",
    forAgents: "worker",
    body: taskFields,
    response: taskSchema,
    async handle(context, { body }) {
      const swarm = await swarmOf(context);
      const [task] = await swarm.tasks.add([body], await askerOf(context));
      if (task === undefined) throw new Error("no task was added");
      return describeTask(task);
    },
  }),

  importTasks: route({
    method: "POST",
    path: "/api/v1/tasks/import",
    summary: "Add tasks that may depend on each other: all of them, or none when one is wrong or refused",
    forAgents: "worker",
    body: { tasks: required(list("Tasks, each as one alone is added.")) },
    response: pageOf(taskSchema),
    async handle(context, { body }) {
      const swarm = await swarmOf(context);
      return { items: (await swarm.tasks.add(body.tasks, await askerOf(context))).map(describeTask) };
    },
  }),

  listTasks: route({
    method: "GET",
    path: "/api/v1/tasks",
    summary: "List tasks, newest first",
    forAgents: "worker",
    query: {
      ...paging,
      state: oneOf(taskStates, "Only those in this state."),
      role: taskFields.role,
      parent: taskFields.parent,
      owner: text("Only those this agent or person has: `agent:ID` or `human:NAME`."),
    },
    response: pageSchema(taskSchema),
    async handle(context, { query }) {
      const { tasks } = await swarmOf(context);
      const { state, owner } = query;
      const filters = { state, owner, role: query.role ?? undefined, parent: query.parent ?? undefined };
      const found = await page(
        positionOf(query),
        (position) => tasks.list({ ...position, ...filters }),
        ({ seq }) => seq,
      );
      return { ...found, items: found.items.map(describeTask) };
    },
  }),

  listReadyTasks: route({
    method: "GET",
    path: "/api/v1/ready-tasks",
    summary: "List the tasks that can be claimed now, in the order in which they will be",
    forAgents: "worker",
    query: { limit: paging.limit, role: taskFields.role },
    response: pageOf(taskSchema),
    async handle(context, { query: { limit = 50, role } }) {
      const { tasks } = await swarmOf(context);
      return { items: (await tasks.ready(role ?? null, limit)).map(describeTask) };
    },
  }),

  countTasks: route({
    method: "GET",
    path: "/api/v1/task-counts",
    summary: "Count the tasks in each state",
    response: closed(Object.fromEntries(taskStates.map((state) => [state, count]))),
    async handle(context) {
      return (await swarmOf(context)).tasks.counts();
    },
  }),

  showTask: route({
    method: "GET",
    path: "/api/v1/tasks/{id}",
    summary: "Show one task, with what it waits for",
    forAgents: "worker",
    params: taskId,
    response: shownTaskSchema,
    async handle(context, { params: { id } }) {
      const { tasks } = await swarmOf(context);
      const task = await tasks.find(id);
      return { ...describeTask(task), waits_for: await tasks.waitsFor(id) };
    },
  }),

  showTaskTree: route({
    method: "GET",
    path: "/api/v1/tasks/{id}/tree",
    summary: "Show a task with all that is below it",
    forAgents: "worker",
    params: taskId,
    response: treeSchema,
    async handle(context, { params: { id } }) {
      return { items: describeTree(await (await swarmOf(context)).tasks.tree(id)) };
    },
  }),

  editTask: route({
    method: "PATCH",
    path: "/api/v1/tasks/{id}",
    summary: "Change what is given of a task, and leave the rest",
    forAgents: "lead",
    params: taskId,
    body: editFields,
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      return describeTask(await (await swarmOf(context)).tasks.edit(id, body, await askerOf(context)));
    },
  }),

  acceptTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/accept",
    summary: "Say that a task's work has landed elsewhere; it is recorded as the caller's word",
    params: taskId,
    body: because,
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { decisions } = await swarmOf(context);
      return describeTask(await decisions.accept(id, context.actor, body.reason));
    },
  }),

  sendBackTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/send-back",
    summary: "Want more work on what was reported",
    params: taskId,
    body: because,
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { decisions } = await swarmOf(context);
      return describeTask(await decisions.sendBack(id, context.actor, body.reason));
    },
  }),

  answerTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/answer",
    summary: "Answer what a task's holder has asked; it can be claimed again",
    forAgents: "lead",
    params: taskId,
    body: { answer: required(text("The answer, which the next holder is given.")) },
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { decisions } = await swarmOf(context);
      return describeTask(await decisions.answer(id, context.actor, body.answer));
    },
  }),

  blockTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/block",
    summary: "Keep an open task from being claimed",
    forAgents: "lead",
    params: taskId,
    body: because,
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { decisions } = await swarmOf(context);
      return describeTask(await decisions.block(id, context.actor, body.reason));
    },
  }),

  unblockTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/unblock",
    summary: "Let a blocked task be claimed again",
    forAgents: "lead",
    params: taskId,
    response: taskSchema,
    async handle(context, { params: { id } }) {
      return describeTask(await (await swarmOf(context)).decisions.unblock(id, context.actor));
    },
  }),

  retryTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/retry",
    summary: "Try a failed task again at once; where its attempts are used, one more is allowed",
    forAgents: "lead",
    params: taskId,
    response: taskSchema,
    async handle(context, { params: { id } }) {
      return describeTask(await (await swarmOf(context)).decisions.retry(id, context.actor));
    },
  }),

  cancelTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/cancel",
    summary: "Cancel a task with all that is below it; who works on it loses the lease",
    forAgents: "lead",
    params: taskId,
    body: because,
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { decisions } = await swarmOf(context);
      return describeTask(await decisions.cancel(id, context.actor, body.reason));
    },
  }),

  supersedeTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/supersede",
    summary: "Have another task take this one's place, also for those that wait for it",
    forAgents: "lead",
    params: taskId,
    body: { by: required(text("The other task.")) },
    response: taskSchema,
    async handle(context, { params: { id }, body }) {
      const { decisions } = await swarmOf(context);
      return describeTask(await decisions.supersede(id, body.by, context.actor));
    },
  }),

  reopenTask: route({
    method: "POST",
    path: "/api/v1/tasks/{id}/reopen",
    summary: "Want a cancelled or superseded task after all",
    forAgents: "lead",
    params: taskId,
    response: taskSchema,
    async handle(context, { params: { id } }) {
      return describeTask(await (await swarmOf(context)).decisions.reopen(id, context.actor));
    },
  }),
};
