/**
 * What must and what must not compile. Each `@ts-expect-error` is a test of its own: `npm run typecheck` fails when
 * the line under it compiles after all.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allow,
  ask,
  context,
  createHooks,
  defer,
  deny,
  type EventName,
  type Handler,
  type HookCall,
  type HookOptions,
  type Mode,
  type Outcome,
  type Payload,
  rewrite,
  stop,
} from "../../index.ts";

/** Compiles only when the two types are the same. */
function same<A, B>(
  _proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void {
  // Nothing to do at run time.
}

test("what a handler is given and may answer is typed by its event and mode", async () => {
  const { on, emit, use, list, close } = createHooks();
  const checked: string[] = [];
  const section = (name: string) => checked.push(name);

  section("payloads and outcomes");
  on("tool.before", (data, call) => {
    same<typeof data.tool_name, string>(true);
    same<typeof data.tool_input, Readonly<Record<string, unknown>>>(true);
    same<typeof data.session_id, string | undefined>(true);
    same<typeof call, HookCall<"tool.before">>(true);
    same<typeof call.signal, AbortSignal>(true);
    // @ts-expect-error: not a field of this event
    void data.prompt;
    // @ts-expect-error: a payload is not changed in place
    data.tool_name = "sh";
  });
  on("PreToolUse", (data, call) => {
    same<typeof data, Payload<"tool.before">>(true);
    same<typeof call.event, "tool.before">(true);
  });
  const outcome = await emit("on_tool_start", { tool_name: "bash", tool_input: {} });
  same<typeof outcome, Outcome<"tool.before">>(true);
  same<typeof outcome.data, Payload<"tool.before">>(true);
  same<typeof outcome.event, "tool.before">(true);
  same<typeof outcome.decision.verdict, "none" | "allow" | "ask" | "defer" | "deny">(true);
  const maybe = emit("session.end", {});
  same<typeof maybe, Outcome<"session.end"> | Promise<Outcome<"session.end">>>(true);

  section("answers every event takes");
  for (const event of [
    "session.end",
    "tool.failed",
    "notification",
    "task.completed",
    "hook.failed",
  ] as const) {
    const undos = [
      on(event, () => undefined),
      on(event, () => null),
      on(event, () => allow()),
      on(event, () => deny("no")),
      on(event, () => context("text")),
      on(event, () => stop("enough")),
      on(event, () => rewrite({ messages: [], context: null })),
      on(event, async () => allow("why")),
      on(event, () => ({ verdict: "deny", reason: "no" })),
      on(event, async () => ({ verdict: "allow" })),
      on(event, () => ({ carry_on: false, reason: "no" })),
      on(event, () => ({ carry_on: true, mutation: { messages: [] } })),
      on(event, async () => {
        await close;
      }),
    ];
    for (const undo of undos) undo();
  }

  section("answers some events take");
  on("tool.before", () => ask("sure?"));
  on("tool.before", () => defer());
  on("task.created", async () => ask());
  on("tool.before", () => rewrite({ tool_input: { command: "ls" } }));
  on("tool.before", async () => rewrite({ tool_input: { command: "ls" }, messages: [] }));
  on("tool.before", () => ({ rewrite: { tool_input: {} }, context: "text", verdict: "ask" }));
  on("tool.before", () => ({ carry_on: true, mutation: { arguments: {} } }));
  on("tool.after", () => ({ carry_on: true, mutation: { result: { content: "x" } } }));
  on("tool.after", () => ({ carry_on: true, mutation: { output: "x" } }));
  on("session.start", () => rewrite({ system_prompt: "x" }));
  on("compaction.before", () => rewrite({ preserve: ["the goal"] }));
  on("tool.before", (data) => (data.tool_name === "bash" ? deny("no") : rewrite({ tool_input: {} })));
  on("tool.before", (data) => {
    if (data.tool_name === "bash") return deny("no");
    if (data.tool_name === "sh") return ask();
    return undefined;
  });

  section("verdicts an event has no use for");
  // @ts-expect-error: nobody can be asked about the end of a session
  on("session.end", () => ask());
  // @ts-expect-error: the same, later
  on("session.end", async () => ask());
  // @ts-expect-error: the same, as a plain object
  on("session.end", () => ({ verdict: "ask" }));
  // @ts-expect-error: a task cannot be deferred
  on("task.created", () => defer());
  // @ts-expect-error: the same, with options
  on("session.end", { priority: 1 }, () => ask());
  // @ts-expect-error: not a verdict
  on("tool.before", () => ({ verdict: "block" }));

  section("fields the row does not list");
  // @ts-expect-error: tool.before rewrites tool_input
  on("tool.before", () => rewrite({ tool_output: "x" }));
  // @ts-expect-error: the name of a tool stays
  on("tool.before", () => rewrite({ tool_name: "sh" }));
  // @ts-expect-error: one field too many beside a legal one
  on("tool.before", () => rewrite({ tool_input: {}, tool_name: "sh" }));
  // @ts-expect-error: the same, later
  on("tool.before", async () => rewrite({ tool_input: {}, tool_name: "sh" }));
  // @ts-expect-error: the same, with options
  on("tool.before", { priority: 1 }, () => rewrite({ tool_input: {}, tool_name: "sh" }));
  // @ts-expect-error: as a plain object
  on("tool.before", () => ({ rewrite: { tool_name: "sh" } }));
  // @ts-expect-error: one field too many in a plain object
  on("tool.before", () => ({ rewrite: { tool_input: {}, tool_name: "sh" } }));
  // @ts-expect-error: in the other dialect
  on("tool.before", () => ({ carry_on: true, mutation: { tool_name: "sh" } }));
  // @ts-expect-error: the other dialect's name for a field this event does not rewrite
  on("tool.before", () => ({ carry_on: true, mutation: { result: {} } }));
  // @ts-expect-error: session.end rewrites nothing but the conversation
  on("session.end", () => rewrite({ reason: "other" }));
  // @ts-expect-error: a field that does not exist
  on("session.start", () => rewrite({ systemPrompt: "x" }));
  // @ts-expect-error: the right field, the wrong type
  on("tool.before", () => rewrite({ tool_input: "ls" }));
  // @ts-expect-error: rules are texts
  on("compaction.before", () => rewrite({ preserve: [1] }));
  // @ts-expect-error: through an alias as well
  on("PreToolUse", () => rewrite({ tool_name: "sh" }));

  section("guards and observers");
  on("tool.before", { mode: "guard" }, () => deny("no"));
  on("tool.before", { mode: "guard" }, async () => ask());
  on("tool.before", { mode: "guard" }, () => context("text"));
  on("tool.before", { mode: "guard" }, () => undefined);
  on("tool.before", { mode: "observe", onDenied: true }, () => 42);
  on("tool.before", { mode: "observe" }, async (data) => data.tool_name);
  // @ts-expect-error: a guard does not rewrite
  on("tool.before", { mode: "guard" }, () => rewrite({ tool_input: {} }));
  // @ts-expect-error: not later either
  on("tool.before", { mode: "guard" }, async () => rewrite({ tool_input: {} }));
  // @ts-expect-error: not as a plain object
  on("tool.before", { mode: "guard" }, () => ({ rewrite: { tool_input: {} } }));
  // @ts-expect-error: not in the other dialect
  on("tool.before", { mode: "guard" }, () => ({ carry_on: true, mutation: { arguments: {} } }));
  // @ts-expect-error: a guard has the verdicts of its event and no others
  on("session.end", { mode: "guard" }, () => ask());

  section("plain answers beside options");
  on("tool.before", { name: "plain" }, () => ({ verdict: "deny", reason: "no" }));
  on("tool.before", { priority: 1 }, async () => ({ verdict: "ask" }));
  on("tool.before", { mode: "guard" }, () => ({ verdict: "deny" }));
  on("tool.before", { match: "bash" }, (data) => ({
    rewrite: { tool_input: data.tool_input },
    verdict: "allow",
  }));

  section("handlers and options written elsewhere");
  const handler: Handler<"tool.after"> = (data) => rewrite({ tool_output: data.tool_output });
  const guard: Handler<"tool.after", "guard"> = () => deny("no");
  const options: HookOptions<"tool.after"> = { match: "query", when: { role: "analyst" } };
  on("tool.after", handler);
  on("tool.after", { mode: "guard" }, guard);
  on("tool.after", options, () => allow());
  const register = (mode: Mode) => on("tool.after", { mode }, () => undefined);
  register("guard");
  on("tool.after", { when: (data, origin) => data.tool_name === origin?.agent }, () => undefined);
  // @ts-expect-error: a handler of another event
  on("session.end", handler);

  section("options and payloads");
  const never = () => {
    // @ts-expect-error: not an option
    on("tool.before", { on_failure: "deny" }, () => undefined);
    // @ts-expect-error: not a mode
    on("tool.before", { mode: "watch" }, () => undefined);
    // @ts-expect-error: not an outcome of failure
    on("tool.before", { onFailure: "block" }, () => undefined);
    // @ts-expect-error: milliseconds are a number
    on("tool.before", { timeoutMs: "5 s" }, () => undefined);
    // @ts-expect-error: options in one spelling only
    createHooks({ hooks_enabled: false });
    // @ts-expect-error: unknown event
    emit("tool.befor", { tool_name: "x", tool_input: {} });
    // @ts-expect-error: unknown event
    on("tool.befor", () => undefined);
    // @ts-expect-error: a required field is missing
    emit("tool.before", { tool_name: "x" });
    // @ts-expect-error: a field of the wrong type
    emit("tool.before", { tool_name: 42, tool_input: {} });
    // @ts-expect-error: a field of another event
    emit("session.end", { prompt: "x" });
    // @ts-expect-error: no payload
    emit("session.end");
    // @ts-expect-error: an origin has no such key
    emit("session.end", {}, { sessionId: "s1" });
    // @ts-expect-error: tools must be callable
    use({ on_start: "log" }, {});
    // @ts-expect-error: not a key of a hook object
    use({ on_begin: "log" }, { callTool: () => undefined });
    // @ts-expect-error: tools are named
    use({ on_start: () => undefined }, { callTool: () => undefined });
  };
  same<ReturnType<typeof list>[number]["event"], EventName>(true);

  assert.equal(typeof never, "function");
  assert.equal(checked.length, 9);
  assert.ok(list().length > 40);
  await close();
});
