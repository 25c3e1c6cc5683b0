import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { idPattern } from "../../base/ids.ts";
import { commonTool } from "../events/common-tool.ts";
import { allow, createHooks, deny, type EngineOptions, type HookCall, rewrite } from "../../index.ts";
import { manualClock } from "../testing/index.ts";
import {
  atOnce,
  bash,
  errorOf,
  noDecision,
  record,
  settled,
  startEngine,
  turn,
  written,
} from "./harness.cases.ts";

suite("emit", () => {
  test("an event nobody listens to comes back as it was, with nothing decided", (t) => {
    const { hooks } = startEngine(t);
    const outcome = atOnce(hooks.emit("tool.before", bash));
    assert.deepEqual(written(outcome), {
      event: "tool.before",
      decision: noDecision,
      data: bash,
      handlers: [],
    });
    assert.equal(outcome.data, bash);
    assert.equal(outcome.result, undefined);
  });

  test("an event whose hooks match other tools comes back as it was", (t) => {
    const { hooks } = startEngine(t, { trace: true });
    hooks.on("tool.before", { match: "write_*" }, () => assert.fail("must not be called"));
    const outcome = atOnce(hooks.emit("tool.before", bash));
    assert.deepEqual(written(outcome), {
      event: "tool.before",
      decision: noDecision,
      data: bash,
      handlers: [],
    });
  });

  test("handlers that answer at once give a value, one that does not gives a promise", async (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => allow());
    assert.equal(atOnce(hooks.emit("tool.before", bash)).decision.verdict, "allow");
    hooks.on("tool.before", { name: "slow" }, async () => deny("later"));
    const emitted = hooks.emit("tool.before", bash);
    assert.ok(emitted instanceof Promise);
    assert.equal((await emitted).decision.verdict, "deny");
  });

  test("a handler is given the payload and a call that names the event", (t) => {
    const { hooks } = startEngine(t);
    const seen: unknown[] = [];
    hooks.on("PreToolUse", (data, call) => {
      seen.push(data, call.event, call.origin);
    });
    hooks.emit("PRE_TOOL", bash, { session: "s1" });
    hooks.emit("PRE_TOOL", bash);
    assert.deepEqual(seen, [bash, "tool.before", { session: "s1" }, bash, "tool.before", {}]);
  });

  test("the functions of an engine work on their own", async () => {
    const { on, emit, list, close } = createHooks();
    const undo = on("tool.before", { name: "alone" }, () => deny("no"));
    assert.equal(list()[0]?.name, "alone");
    assert.equal((await emit("tool.before", bash)).decision.verdict, "deny");
    undo();
    assert.equal((await emit("tool.before", bash)).decision.verdict, "none");
    await close();
  });

  test("two engines share nothing", (t) => {
    const first = startEngine(t).hooks;
    const second = startEngine(t).hooks;
    first.on("tool.before", { name: "same" }, () => deny("no"));
    second.on("tool.before", { name: "same" }, () => allow());
    assert.equal(atOnce(second.emit("tool.before", bash)).decision.verdict, "allow");
  });
});

suite("names of events", () => {
  const namesOfToolBefore = ["tool.before", "PRE_TOOL", "PreTool", "PreToolUse", "on_tool_start"] as const;
  for (const registered of namesOfToolBefore) {
    for (const emitted of namesOfToolBefore) {
      test(`a hook on ${registered} hears ${emitted}`, (t) => {
        const { hooks } = startEngine(t);
        hooks.on(registered, (_data, call) => deny(call.event));
        const outcome = atOnce(hooks.emit(emitted, bash));
        assert.equal(outcome.event, "tool.before");
        assert.equal(outcome.decision.reason, "tool.before");
      });
    }
  }

  // As the design's table has them; the catalogue is what is tested here.
  const aliases = {
    "session.start": ["SESSION_START", "SessionStart", "on_start"],
    "session.end": ["SessionEnd", "on_end"],
    "prompt.submit": ["UserPromptSubmit"],
    "turn.end": ["Stop"],
    "tool.before": ["PRE_TOOL", "PreTool", "PreToolUse", "on_tool_start"],
    "tool.after": ["POST_TOOL", "PostTool", "PostToolUse", "on_tool_end"],
    "tool.failed": ["PostToolUseFailure"],
    "model.before": ["on_llm_start"],
    "model.after": ["on_llm_end"],
    "compaction.before": ["PRE_COMPACTION", "PreCompact"],
    "compaction.after": ["POST_COMPACTION", "PostCompact"],
    "subagent.start": ["SubagentStart", "on_subagents_start"],
    "subagent.stop": ["SubagentStop", "on_subagents_end"],
    "permission.request": ["PermissionRequest"],
    notification: ["Notification"],
  } as const;
  for (const [event, names] of Object.entries(aliases)) {
    test(`${names.join(", ")}: all are ${event}`, (t) => {
      const { hooks } = startEngine(t);
      for (const name of names) hooks.on(name, () => undefined);
      assert.deepEqual(
        hooks.list().map((hook) => hook.event),
        names.map(() => event),
      );
    });
  }

  for (const event of [
    "task.created task.claimed task.completed task.failed task.retried task.cancelled",
    "agent.spawned agent.heartbeat agent.completed agent.killed agent.stalled",
    "merge.started merge.completed merge.conflict quality_gate.passed quality_gate.failed",
    "budget.threshold budget.exceeded approval.requested approval.decided",
    "cron.fired cron.completed cron.failed cron.missed",
    "batch.started batch.checkpoint batch.completed batch.failed",
    "alert.raised hook.failed config.changed native.unknown",
  ].flatMap((names) => names.split(" "))) {
    test(`${event} is an event`, (t) => {
      const { hooks } = startEngine(t);
      assert.equal(atOnce(hooks.emit(event as "tool.before", bash)).event, event);
    });
  }
});

suite("undo", () => {
  test("an undone hook is not called and not listed", (t) => {
    const { hooks } = startEngine(t);
    const undo = hooks.on("tool.before", () => deny("no"));
    hooks.on("tool.before", { name: "stays" }, () => allow());
    undo();
    assert.deepEqual(
      hooks.list().map((hook) => hook.name),
      ["stays"],
    );
    assert.equal(atOnce(hooks.emit("tool.before", bash)).decision.hook, "stays");
  });

  test("an undo called again does not take away the hook that has the name now", (t) => {
    const { hooks } = startEngine(t);
    const undo = hooks.on("tool.before", { name: "guard" }, () => allow());
    undo();
    hooks.on("tool.before", { name: "guard" }, () => deny("no"));
    undo();
    assert.equal(atOnce(hooks.emit("tool.before", bash)).decision.verdict, "deny");
    assert.equal(
      errorOf(() => hooks.on("tool.before", { name: "guard" }, () => allow())).code,
      "SWARM_HOOK_NAME_TAKEN",
    );
  });
});

suite("list", () => {
  test("every hook is listed with all that was said about it, or the default", (t) => {
    const { hooks } = startEngine(t);
    hooks.on(
      "PreToolUse",
      {
        match: "write_*",
        priority: 5,
        timeoutMs: 250,
        name: "no-writes",
        plugin: "acme",
        onFailure: "deny",
        mode: "guard",
      },
      () => undefined,
    );
    hooks.on("SessionEnd", { mode: "observe", onDenied: true }, function goodbye() {
      // The name is all that matters.
    });
    hooks.on("SessionStart", { plugin: "acme" }, () => undefined);
    const defaults = { kind: "function", match: "*", priority: 0, timeoutMs: 30_000, onFailure: "allow" };
    assert.deepEqual(hooks.list(), [
      {
        ...defaults,
        name: "acme/session.start#3",
        event: "session.start",
        mode: "transform",
        onDenied: false,
        plugin: "acme",
      },
      { ...defaults, name: "goodbye#2", event: "session.end", mode: "observe", onDenied: true, plugin: null },
      {
        name: "no-writes",
        event: "tool.before",
        kind: "function",
        mode: "guard",
        match: "write_*",
        priority: 5,
        timeoutMs: 250,
        onFailure: "deny",
        onDenied: false,
        plugin: "acme",
      },
    ]);
  });

  test("hooks are listed in the order they run: transforms, guards, observers, each by priority", async (t) => {
    const { hooks } = startEngine(t);
    const ran: string[] = [];
    const add = (name: string, mode: "transform" | "guard" | "observe", priority: number) =>
      hooks.on("tool.before", { name, mode, priority }, () => void ran.push(name));
    add("watch", "observe", 99);
    add("judge", "guard", 50);
    add("second", "transform", 0);
    add("third", "transform", 0);
    add("first", "transform", 1);
    hooks.emit("tool.before", bash);
    await turn();
    assert.deepEqual(ran, ["first", "second", "third", "judge", "watch"]);
    assert.deepEqual(
      hooks.list().map((hook) => hook.name),
      ran,
    );
  });

  test("a name made up for a hook is never one that was given to another", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", { name: "tool.before#2" }, () => undefined);
    hooks.on("tool.before", () => undefined);
    const names = hooks.list().map((hook) => hook.name);
    assert.equal(new Set(names).size, 2, `two names for two hooks: ${names.join(", ")}`);
  });
});

suite("hooksEnabled: false", () => {
  test("no handler is called, no payload looked at, no timer set", async (t) => {
    const { hooks, clock } = startEngine(t, { hooksEnabled: false, trace: true });
    hooks.on("tool.before", () => assert.fail("must not be called"));
    hooks.on("tool.before", { mode: "guard", onFailure: "deny" }, async () =>
      assert.fail("must not be called"),
    );
    hooks.on("tool.before", { mode: "observe" }, () => assert.fail("must not be called"));
    const data = { tool_name: 42 } as never;
    const outcome = atOnce(hooks.emit("tool.before", data));
    await turn();
    assert.deepEqual(written(outcome), { event: "tool.before", decision: noDecision, data, handlers: [] });
    assert.equal(outcome.data, data);
    assert.equal(clock.pendingTimers, 0);
  });

  test("hooks can be registered and listed all the same", (t) => {
    const { hooks } = startEngine(t, { hooksEnabled: false });
    const undo = hooks.on("tool.before", { name: "off" }, () => undefined);
    assert.equal(hooks.list().length, 1);
    undo();
    assert.equal(hooks.list().length, 0);
  });
});

suite("trace", () => {
  test("each handler leaves one record: name, kind, mode, status, verdict, reason, time", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "quiet" }, () => undefined);
    hooks.on("tool.before", { name: "elsewhere", when: { role: "reviewer" } }, () => undefined);
    hooks.on("tool.before", { name: "slow" }, async (_data, call) => {
      await new Promise((resolve) => clock.setTimer(() => resolve(call), 7));
      return rewrite({ tool_input: { command: "true" } });
    });
    hooks.on("tool.before", { name: "broken" }, () => {
      throw new Error("boom");
    });
    hooks.on("tool.before", { name: "judge", mode: "guard" }, () => allow("harmless"));
    hooks.on("tool.before", { name: "watch", mode: "observe" }, () => undefined);
    const emitted = hooks.emit("tool.before", bash);
    await clock.advance(7);
    const outcome = await settled(emitted);
    await turn();
    assert.deepEqual(written(outcome), {
      event: "tool.before",
      decision: { ...noDecision, verdict: "allow", reason: "harmless", hook: "judge" },
      data: { tool_name: "bash", tool_input: { command: "true" } },
      handlers: [
        record("quiet"),
        record("elsewhere", { status: "skipped", reason: "its `when` did not hold" }),
        record("slow", { ms: 7 }),
        record("broken", { status: "failed", reason: "hook broken failed: Error: boom" }),
        record("judge", { mode: "guard", verdict: "allow", reason: "harmless" }),
        record("watch", { mode: "observe" }),
      ],
    });
  });

  test("an observer's record says scheduled until it has run", async (t) => {
    const { hooks } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "watch", mode: "observe" }, () => undefined);
    const outcome = atOnce(hooks.emit("tool.before", bash));
    assert.deepEqual(outcome.handlers, [record("watch", { mode: "observe", status: "scheduled" })]);
    await turn();
    assert.deepEqual(outcome.handlers, [record("watch", { mode: "observe", status: "completed" })]);
  });

  test("hooks a denial kept from being called are recorded as skipped", (t) => {
    const { hooks } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "no" }, () => deny("because"));
    hooks.on("tool.before", { name: "later" }, () => undefined);
    hooks.on("tool.before", { name: "judge", mode: "guard" }, () => undefined);
    hooks.on("tool.before", { name: "watch", mode: "observe" }, () => undefined);
    const { handlers } = atOnce(hooks.emit("tool.before", bash));
    const reason = "an earlier hook has denied the action";
    assert.deepEqual(handlers, [
      record("no", { status: "denied", verdict: "deny", reason: "because" }),
      record("later", { status: "skipped", reason }),
      record("judge", { mode: "guard", status: "skipped", reason }),
      record("watch", {
        mode: "observe",
        status: "skipped",
        reason: "the action was denied, and it has no onDenied",
      }),
    ]);
  });

  test("without trace nothing is recorded", (t) => {
    const { hooks } = startEngine(t);
    hooks.on("tool.before", () => deny("no"));
    assert.deepEqual(atOnce(hooks.emit("tool.before", bash)).handlers, []);
  });
});

suite("ids", () => {
  test("handlers, observers and the outcome of one event have one id, another event has another", async (t) => {
    const { hooks } = startEngine(t);
    const ids: string[] = [];
    hooks.on("tool.before", (_data, call) => void ids.push(call.id));
    hooks.on("tool.before", { mode: "guard" }, async (_data, call) => void ids.push(call.id));
    hooks.on("tool.before", { mode: "observe" }, (_data, call) => void ids.push(call.id));
    const outcome = await hooks.emit("tool.before", bash);
    await turn();
    ids.push(outcome.id, outcome.id, String(outcome.toJSON().id));
    assert.equal(ids.length, 6);
    assert.equal(new Set(ids).size, 1);
    assert.match(outcome.id, idPattern);
    assert.notEqual((await hooks.emit("tool.before", bash)).id, outcome.id);
    await turn();
  });

  test("an id is first made when it is read", async (t) => {
    const { hooks } = startEngine(t);
    const realNow = Date.now;
    t.after(() => {
      Date.now = realNow;
    });
    const outcome = atOnce(hooks.emit("tool.before", bash));
    Date.now = () => 0;
    assert.match(outcome.id, /^evt_000000000/);
    Date.now = realNow;
    assert.match(outcome.id, /^evt_000000000/);
  });
});

suite("shapes others rely on", () => {
  test("a denied tool.before is written with a result in place of the tool's", (t) => {
    const { hooks } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "no-shell" }, () => deny("no shell here"));
    const outcome = atOnce(hooks.emit("tool.before", bash));
    const json = JSON.parse(JSON.stringify(outcome));
    assert.deepEqual(json, {
      event: "tool.before",
      id: outcome.id,
      decision: { verdict: "deny", reason: "no shell here", hook: "no-shell", context: [], stop: null },
      data: bash,
      result: { status: "skipped_by_hook", hook: "no-shell", reason: "no shell here" },
      handlers: [record("no-shell", { status: "denied", verdict: "deny", reason: "no shell here" })],
    });
    assert.deepEqual(Object.keys(json), ["event", "id", "decision", "data", "result", "handlers"]);
  });

  test("an envelope has every key, null where the caller said nothing, and the time in seconds", (t) => {
    const { hooks } = startEngine(t, { clock: manualClock(1_700_000_000_250) });
    const envelopes: unknown[] = [];
    let id = "";
    hooks.on("tool.before", (data, call) => {
      id = call.id;
      envelopes.push(call.envelope(data));
    });
    hooks.emit("PreToolUse", bash);
    const tool = commonTool(bash);
    const empty = { session: null, agent: null, task: null, cwd: null, source: null, native_event: null };
    assert.deepEqual(envelopes.pop(), {
      event: "tool.before",
      id,
      timestamp: 1_700_000_000.25,
      ...empty,
      tool,
      data: bash,
    });
    const origin = {
      session: "s1",
      agent: "a1",
      task: "t1",
      cwd: "/project",
      source: "claude-code",
      native_event: "PreToolUse",
    };
    hooks.emit("PreToolUse", bash, origin);
    assert.deepEqual(envelopes.pop(), {
      event: "tool.before",
      id,
      timestamp: 1_700_000_000.25,
      ...origin,
      tool,
      data: bash,
    });
  });

  test("an envelope's time is the time of the engine's clock", async (t) => {
    const { hooks, clock } = startEngine(t);
    let call: HookCall | undefined;
    hooks.on("tool.before", (_data, given) => {
      call = given;
    });
    await clock.advance(1_500);
    hooks.emit("tool.before", bash);
    assert.equal(call?.envelope(bash).timestamp, clock.now() / 1000);
  });
});

suite("validate: false", () => {
  test("a payload is handed on unchecked", (t) => {
    const { hooks } = startEngine(t, { validate: false });
    hooks.on("tool.before", () => deny("seen"));
    const outcome = atOnce(hooks.emit("tool.before", { tool_name: "bash", tool_input: 42 } as never));
    assert.equal(outcome.decision.reason, "seen");
  });

  for (const tool_name of [undefined, null, 42, ["bash"]]) {
    test(`a tool name that is ${JSON.stringify(tool_name)} is refused, or guards for one tool would be passed by`, (t) => {
      const { hooks } = startEngine(t, { validate: false });
      hooks.on("tool.before", { match: "bash" }, () => deny("no"));
      for (let again = 0; again < 2; again++) {
        const error = errorOf(() => hooks.emit("tool.before", { tool_name, tool_input: {} } as never));
        assert.equal(error.code, "SWARM_PAYLOAD_INVALID");
      }
    });
  }
});

suite("close", () => {
  test("a closed engine refuses hooks and events by name", async (t) => {
    const { hooks } = startEngine(t);
    await hooks.close();
    const refused = (operation: string, action: () => unknown) => {
      const error = errorOf(action);
      assert.equal(error.code, "SWARM_ENGINE_CLOSED");
      assert.equal(error.message, `${operation} was called after close(), expected an open engine`);
    };
    refused("emit", () => hooks.emit("tool.before", bash));
    refused("on", () => hooks.on("tool.before", () => undefined));
    assert.equal(
      errorOf(() => hooks.use({ on_start: "log" }, { callTool: () => undefined })).code,
      "SWARM_ENGINE_CLOSED",
    );
  });

  test("close can be called again, and hooks can still be listed and undone", async (t) => {
    const { hooks } = startEngine(t);
    const undo = hooks.on("tool.before", () => undefined);
    await Promise.all([hooks.close(), hooks.close()]);
    await hooks.close();
    assert.equal(hooks.list().length, 1);
    undo();
    assert.equal(hooks.list().length, 0);
  });

  test("the sweep timer does not outlive the engine", async () => {
    const clock = manualClock();
    const hooks = createHooks({ clock });
    hooks.on("tool.before", async () => undefined);
    await hooks.emit("tool.before", bash);
    await hooks.close();
    assert.equal(clock.pendingTimers, 0);
  });
});

suite("options of an engine", () => {
  const unknown = [
    ["hooks_enabled", 'createHooks: unknown option "hooks_enabled", did you mean "hooksEnabled"?'],
    ["Trace", 'createHooks: unknown option "Trace", did you mean "trace"?'],
    ["banana", 'createHooks: unknown option "banana"'],
  ] as const;
  for (const [option, message] of unknown) {
    test(`${option} is an unknown option`, () => {
      const error = errorOf(() => createHooks({ [option]: false } as EngineOptions));
      assert.equal(error.code, "SWARM_OPTION_UNKNOWN");
      assert.equal(error.message, message);
    });
  }

  for (const option of ["hooksEnabled", "trace", "validate"]) {
    for (const value of ["false", 0, {}]) {
      test(`${option}: ${JSON.stringify(value)} is refused`, () => {
        const error = errorOf(() => createHooks({ [option]: value } as EngineOptions));
        assert.equal(error.code, "SWARM_OPTION_INVALID");
        assert.match(error.message, new RegExp(`^createHooks: ${option} is .*, expected true or false$`));
      });
    }
  }

  for (const value of [null, "trace", 42]) {
    test(`${JSON.stringify(value)} instead of options is refused`, () => {
      assert.equal(errorOf(() => createHooks(value as never)).code, "SWARM_OPTION_INVALID");
    });
  }
});
