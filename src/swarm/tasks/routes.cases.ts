import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openApp } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";
import { roleFor } from "../../daemon/rest/route.ts";
import { leaseRoutes } from "./lease-routes.ts";
import { taskRoutes } from "./routes.ts";

interface Task {
  readonly task_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly owner: string | null;
  readonly reason: string | null;
}
interface Claim {
  readonly task: Task;
  readonly lease: { readonly epoch: number; readonly expires_at: string };
}

const tasks = "/api/v1/tasks";

async function opened(t: TestContext) {
  const app = await openApp(t);
  const post = async <T = Task>(path: string, body: object = {}): Promise<T> => {
    const answer = await app.call<T>("POST", path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const refused = async (path: string, body: object = {}) => {
    const { status, body: problem } = await app.call<Problem>("POST", path, body);
    return [status, problem.code, problem.detail] as const;
  };
  const add = (task_id: string, more = {}) => post(tasks, { task_id, goal: `do ${task_id}`, ...more });
  const claim = (body = {}) => post<Claim>("/api/v1/task-claims", body);
  const items = async (path: string) => {
    const { status, body, text } = await app.call<{ items: Task[]; next_cursor?: string }>("GET", path);
    assert.equal(status, 200, text);
    return body;
  };
  return { ...app, post, refused, add, claim, items };
}

/** Part of the tests of routes: each has to be called there. */
export function taskRouteCases(): void {
  suite("tasks over REST", () => {
    test("a task is added, claimed, worked on and reported", async (t) => {
      const { post, add, claim, items, call } = await opened(t);
      await add("a", { priority: 3 });
      await add("b", { depends_on: ["a"] });
      const shown = await call<{ waits_for: object[] }>("GET", `${tasks}/b`);
      assert.deepEqual(shown.body.waits_for, [{ task_id: "a", state: "open" }]);
      assert.deepEqual(
        (await items("/api/v1/ready-tasks")).items.map(({ task_id }) => task_id),
        ["a"],
      );
      const { task, lease } = await claim();
      assert.deepEqual([task.task_id, task.state, task.owner, lease.epoch], ["a", "claimed", "human:ann", 1]);
      const epoch = { epoch: 1 };
      await post<object>(`${tasks}/a/renew`, epoch);
      assert.equal((await post(`${tasks}/a/progress`, { ...epoch, progress: "half" })).state, "working");
      const own = await call<Task & { progress: string }>("GET", "/api/v1/own-task");
      assert.deepEqual([own.body.task_id, own.body.progress], ["a", "half"]);
      const counted = await post<{ tokens_used: number; progress: string }>(`${tasks}/a/usage`, {
        ...epoch,
        tokens: 70,
      });
      assert.deepEqual([counted.tokens_used, counted.progress], [70, "half"]);
      assert.equal((await post(`${tasks}/a/report`, { ...epoch, summary: "done" })).state, "reported");
      assert.equal((await post(`${tasks}/a/send-back`, { reason: "more" })).state, "open");
      assert.equal((await post(`${tasks}/a/accept`, { reason: "by hand" })).state, "landed");
      assert.equal((await claim()).task.task_id, "b");
      const counts = await call<Record<string, number>>("GET", "/api/v1/task-counts");
      assert.partialDeepStrictEqual(counts.body, { landed: 1, claimed: 1, open: 0 });
    });

    test("a stale epoch is a conflict that says who has the task", async (t) => {
      const { post, add, claim, refused } = await opened(t);
      await add("a");
      await claim();
      await post(`${tasks}/a/fail`, { epoch: 1, error: "no" });
      await post(`${tasks}/a/retry`);
      await claim({ task_id: "a" });
      for (const [path, body] of [
        ["renew", {}],
        ["usage", { tokens: 1 }],
        ["progress", { progress: "x" }],
        ["report", { summary: "x" }],
        ["fail", { error: "x" }],
        ["fail", { error: "x", ending: "rate_limited" }],
        ["ask", { question: "x" }],
      ] as const) {
        const [status, code, detail] = await refused(`${tasks}/a/${path}`, { epoch: 1, ...body });
        assert.deepEqual([status, code], [409, "SWARM_LEASE_STALE"], path);
        assert.match(detail, /human:ann has it, with epoch 2/);
      }
    });

    test("what people say of tasks changes their states, and nothing else is possible", async (t) => {
      const { post, add, claim, refused, call } = await opened(t);
      await add("a");
      assert.equal((await post(`${tasks}/a/block`, { reason: "wait" })).state, "blocked");
      const [status, code, detail] = await refused(`${tasks}/a/retry`);
      assert.deepEqual([status, code], [409, "SWARM_TASK_STATE"]);
      assert.match(detail, /"a" is blocked: retry leads from failed to open/);
      assert.equal((await post(`${tasks}/a/unblock`)).state, "open");
      await claim();
      assert.equal((await post(`${tasks}/a/ask`, { epoch: 1, question: "which?" })).state, "needs_input");
      assert.equal((await post(`${tasks}/a/answer`, { answer: "that" })).state, "open");
      assert.equal((await post(`${tasks}/a/cancel`, { reason: "no" })).state, "cancelled");
      assert.equal((await post(`${tasks}/a/reopen`)).state, "open");
      await add("b");
      assert.equal((await post(`${tasks}/a/supersede`, { by: "b" })).state, "superseded");
      const edited = await call<Task>("PATCH", `${tasks}/b`, { goal: "something else" });
      assert.equal(edited.status, 200);
      assert.deepEqual((await refused(`${tasks}/none/retry`)).slice(0, 2), [404, "SWARM_TASK_UNKNOWN"]);
    });

    test("a file of tasks is added as a whole or not at all, and shown as a tree", async (t) => {
      const { post, items, refused } = await opened(t);
      const file = [
        { task_id: "top", goal: "all of it" },
        { task_id: "part", goal: "a part", parent: "top", depends_on: ["other"] },
        { task_id: "other", goal: "another", parent: "top" },
      ];
      const [status, code] = await refused(`${tasks}/import`, { tasks: [...file, { goal: 7 }] });
      assert.deepEqual([status, code], [400, "SWARM_TASKS_INVALID"]);
      assert.deepEqual((await items(tasks)).items, []);
      await post(`${tasks}/import`, { tasks: file });
      const tree = await items(`${tasks}/top/tree`);
      assert.equal(tree.items.length, 3);
      const page = await items(`${tasks}?limit=2&state=open`);
      assert.equal((await items(`${tasks}?limit=2&cursor=${page.next_cursor}`)).items.length, 1);
      assert.equal((await items(`${tasks}?parent=top`)).items.length, 2);
    });

    test("whoever may only look changes nothing", () => {
      for (const route of Object.values({ ...taskRoutes, ...leaseRoutes }))
        assert.equal(roleFor(route), route.method === "GET" ? "viewer" : "operator");
    });

    test("no agent says of work that it has landed", () => {
      for (const name of ["acceptTask", "sendBackTask"] as const)
        assert.equal(taskRoutes[name].forAgents, undefined);
    });
  });
}
