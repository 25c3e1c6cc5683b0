import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { allow, deny, type Outcome, rewrite, type Undo } from "../../index.ts";
import { atOnce, bash, noDecision, record, settled, startEngine, turn } from "./harness.cases.ts";

suite("while an event is under way", () => {
  for (const isAsync of [false, true]) {
    const when = isAsync ? "later" : "at once";
    const from = <T>(value: T) => (isAsync ? Promise.resolve(value) : value) as never;

    test(`a later hook that a handler removes ${when} is not called`, async (t) => {
      const { hooks } = startEngine(t, { trace: true });
      const undos: Undo[] = [];
      hooks.on("tool.before", { name: "first" }, () => {
        for (const undo of undos) undo();
        return from(undefined);
      });
      undos.push(hooks.on("tool.before", { name: "second" }, () => assert.fail("removed")));
      undos.push(hooks.on("tool.before", { name: "guard", mode: "guard" }, () => assert.fail("removed")));
      hooks.on("tool.before", { name: "third" }, () => allow());
      const outcome = await settled(hooks.emit("tool.before", bash));
      const reason = "it was removed while the event was under way";
      assert.deepEqual(outcome.handlers, [
        record("first"),
        record("second", { status: "skipped", reason }),
        record("third", { verdict: "allow" }),
        record("guard", { mode: "guard", status: "skipped", reason }),
      ]);
      assert.deepEqual(
        hooks.list().map(({ name }) => name),
        ["first", "third"],
      );
    });

    test(`a hook that a handler adds ${when} is first called for the next event`, async (t) => {
      const { hooks } = startEngine(t);
      const ran: string[] = [];
      const undo = hooks.on("tool.before", () => {
        ran.push("first");
        undo();
        for (const mode of ["transform", "guard", "observe"] as const) {
          hooks.on(
            "tool.before",
            { mode, priority: mode === "transform" ? 10 : 0 },
            () => void ran.push(mode),
          );
        }
        return from(undefined);
      });
      await settled(hooks.emit("tool.before", bash));
      await turn();
      assert.deepEqual(ran, ["first"]);
      await settled(hooks.emit("tool.before", bash));
      await turn();
      assert.deepEqual(ran, ["first", "transform", "guard", "observe"]);
    });

    test(`a handler that removes itself ${when} still has its say, once`, async (t) => {
      const { hooks } = startEngine(t);
      const undo = hooks.on("tool.before", { name: "once" }, () => {
        undo();
        return from(deny("once"));
      });
      assert.equal((await settled(hooks.emit("tool.before", bash))).decision.hook, "once");
      assert.deepEqual((await settled(hooks.emit("tool.before", bash))).decision, noDecision);
    });

    test(`a handler may put another in its own place ${when}, under its own name`, async (t) => {
      const { hooks } = startEngine(t);
      let undo = hooks.on("tool.before", { name: "switch" }, () => {
        undo();
        undo = hooks.on("tool.before", { name: "switch" }, () => deny("second"));
        return from(deny("first"));
      });
      assert.equal((await settled(hooks.emit("tool.before", bash))).decision.reason, "first");
      assert.equal((await settled(hooks.emit("tool.before", bash))).decision.reason, "second");
      assert.equal(hooks.list().length, 1);
    });

    test(`a handler may emit another event ${when} and use its outcome`, async (t) => {
      const { hooks } = startEngine(t);
      hooks.on("permission.request", { match: "bash" }, () => from(deny("not allowed")));
      hooks.on("tool.before", { name: "asks" }, (data) => {
        const emitted = hooks.emit("permission.request", data);
        const answer = ({ decision }: Outcome) =>
          decision.verdict === "deny" ? deny(`permission: ${decision.reason}`) : allow();
        return emitted instanceof Promise ? emitted.then(answer) : answer(emitted);
      });
      const outcome = await settled(hooks.emit("tool.before", bash));
      assert.deepEqual(outcome.decision, {
        ...noDecision,
        verdict: "deny",
        reason: "permission: not allowed",
        hook: "asks",
      });
    });

    test(`a handler may emit the same event ${when} without mixing up the two`, async (t) => {
      const { hooks } = startEngine(t, { trace: true });
      const ids: string[] = [];
      hooks.on("tool.before", { name: "wraps", match: "outer" }, (data, call) => {
        ids.push(call.id);
        const emitted = hooks.emit("tool.before", { ...data, tool_name: "inner" });
        const answer = (inner: Outcome<"tool.before">) => {
          ids.push(inner.id);
          return rewrite({ tool_input: { inner: inner.data.tool_input } });
        };
        return emitted instanceof Promise ? emitted.then(answer) : answer(emitted);
      });
      hooks.on("tool.before", { name: "all" }, (data) =>
        from(rewrite({ tool_input: { ...data.tool_input, seen: data.tool_name } })),
      );
      const outcome = await settled(hooks.emit("tool.before", { tool_name: "outer", tool_input: { n: 1 } }));
      assert.deepEqual(outcome.data, {
        tool_name: "outer",
        tool_input: { inner: { n: 1, seen: "inner" }, seen: "outer" },
      });
      assert.deepEqual(outcome.handlers, [record("wraps"), record("all")]);
      assert.equal(ids[0], outcome.id);
      assert.notEqual(ids[1], outcome.id);
    });
  }

  test("removing a guard that is at work leaves the event intact", async (t) => {
    const { hooks, clock } = startEngine(t);
    const wait = () => new Promise<void>((resolve) => clock.setTimer(resolve, 10));
    const undo = hooks.on("tool.before", { mode: "guard" }, async () => wait());
    hooks.on("tool.before", { name: "judge", mode: "guard" }, async () => {
      await wait();
      return deny("no");
    });
    const emitted = hooks.emit("tool.before", bash);
    undo();
    await clock.advance(10);
    assert.equal((await settled(emitted)).decision.hook, "judge");
  });
});

suite("many events at once", () => {
  test("each keeps its own payload, decision and records, in whatever order they end", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    const delayOf = (index: number) => (index * 37) % 101;
    const wait = (ms: number) => new Promise<void>((resolve) => clock.setTimer(resolve, ms));
    hooks.on("tool.before", { name: "first" }, async (data) => {
      const index = Number(data.tool_input.index);
      await wait(delayOf(index));
      return rewrite({ tool_input: { index, by: ["first"] } });
    });
    hooks.on("tool.before", { name: "second" }, async (data) => {
      const { index, by } = data.tool_input as { index: number; by: string[] };
      await wait(delayOf(index * 3));
      return rewrite({ tool_input: { index, by: [...by, "second"] } });
    });
    hooks.on("tool.before", { name: "judge", mode: "guard" }, async (data) => {
      const index = Number(data.tool_input.index);
      await wait(delayOf(index * 7));
      return index % 3 === 0 ? deny(`no ${index}`) : allow(`yes ${index}`);
    });
    const emitted = Array.from({ length: 200 }, (_, index) =>
      hooks.emit("tool.before", { tool_name: `tool_${index % 5}`, tool_input: { index } }),
    );
    await clock.advance(400);
    const outcomes = await settled(Promise.all(emitted));
    for (const [index, outcome] of outcomes.entries()) {
      const isDenied = index % 3 === 0;
      const verdict = isDenied ? "deny" : "allow";
      const reason = `${isDenied ? "no" : "yes"} ${index}`;
      assert.deepEqual(outcome.data, {
        tool_name: `tool_${index % 5}`,
        tool_input: { index, by: ["first", "second"] },
      });
      assert.deepEqual(outcome.decision, { ...noDecision, verdict, reason, hook: "judge" });
      assert.deepEqual(outcome.handlers, [
        record("first", { ms: delayOf(index) }),
        record("second", { ms: delayOf(index * 3) }),
        record("judge", {
          mode: "guard",
          status: isDenied ? "denied" : "completed",
          verdict,
          reason,
          ms: delayOf(index * 7),
        }),
      ]);
    }
    assert.equal(new Set(outcomes.map(({ id }) => id)).size, 200);
  });

  test("hooks that come and go between them change only the events that start afterwards", async (t) => {
    const { hooks, clock } = startEngine(t);
    const emitted: (Outcome | Promise<Outcome>)[] = [];
    hooks.on(
      "tool.before",
      { priority: 1 },
      () => new Promise<void>((resolve) => clock.setTimer(resolve, 10)),
    );
    for (let step = 0; step < 20; step++) {
      const undo = hooks.on("tool.before", { name: `step ${step}` }, () => ({ context: `step ${step}` }));
      emitted.push(hooks.emit("tool.before", bash));
      if (step % 2 === 0) undo();
    }
    await clock.advance(10);
    const outcomes = await settled(Promise.all(emitted));
    const kept = (step: number) =>
      Array.from({ length: step + 1 }, (_, at) => at).filter((at) => at % 2 === 1);
    for (const [step, outcome] of outcomes.entries()) {
      assert.deepEqual(
        outcome.decision.context,
        kept(step).map((at) => `step ${at}`),
        `event ${step}`,
      );
    }
  });
});

suite("close", () => {
  test("waits for events under way and for their observers", async (t) => {
    const { hooks, clock } = startEngine(t);
    const steps: string[] = [];
    const wait = () => new Promise<void>((resolve) => clock.setTimer(resolve, 10));
    hooks.on("tool.before", async () => {
      await wait();
      steps.push("handled");
    });
    hooks.on("tool.before", { mode: "observe" }, async () => {
      await wait();
      steps.push("observed");
    });
    void Promise.resolve(hooks.emit("tool.before", bash)).then(() => steps.push("decided"));
    const closed = hooks.close().then(() => steps.push("closed"));
    await clock.advance(10);
    assert.deepEqual(steps, ["handled", "decided"]);
    await clock.advance(10);
    await settled(closed);
    assert.deepEqual(steps, ["handled", "decided", "observed", "closed"]);
    assert.equal(clock.pendingTimers, 0);
  });

  test("waits for observers of an event that was decided at once", async (t) => {
    const { hooks } = startEngine(t);
    let seen = 0;
    hooks.on("tool.before", { mode: "observe" }, () => void seen++);
    atOnce(hooks.emit("tool.before", bash));
    await settled(hooks.close());
    assert.equal(seen, 1);
  });

  test("waits until failures have been told of, and for whoever is told", async (t) => {
    const { hooks } = startEngine(t);
    const told: string[] = [];
    hooks.on("hook.failed", async (data) => {
      await turn();
      told.push(data.name);
    });
    hooks.on("hook.failed", { mode: "observe" }, (data) => void told.push(`observed ${data.name}`));
    hooks.on("tool.before", { name: "watch", mode: "observe" }, () => {
      throw new Error("boom");
    });
    atOnce(hooks.emit("tool.before", bash));
    await settled(hooks.close());
    assert.deepEqual(told, ["watch", "observed watch"]);
  });

  test("still counts right after failures were told of", async (t) => {
    const { hooks, clock } = startEngine(t);
    const steps: string[] = [];
    hooks.on("hook.failed", () => undefined);
    hooks.on("hook.failed", { mode: "observe" }, async () => undefined);
    hooks.on("session.start", () => {
      throw new Error("boom");
    });
    hooks.on("tool.before", async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
      steps.push("handled");
    });
    for (let failure = 0; failure < 3; failure++) atOnce(hooks.emit("session.start", {}));
    await turn();
    await turn();
    const emitted = hooks.emit("tool.before", bash);
    const closed = hooks.close().then(() => steps.push("closed"));
    await turn();
    await turn();
    await clock.advance(10);
    await settled(emitted);
    await settled(closed);
    assert.deepEqual(steps, ["handled", "closed"]);
  });

  test("does not wait longer than a hanging handler's deadline", async (t) => {
    const { hooks, clock } = startEngine(t);
    hooks.on("tool.before", { timeoutMs: 10 }, () => new Promise<never>(() => undefined));
    const emitted = hooks.emit("tool.before", bash);
    const closed = hooks.close();
    await clock.advance(20);
    await settled(emitted);
    await settled(closed);
  });

  test("refuses new events while it waits, also from handlers under way, and those go on", async (t) => {
    const { hooks, clock } = startEngine(t, { trace: true });
    hooks.on("tool.before", { name: "nests" }, async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
      await hooks.emit("session.start", {});
    });
    hooks.on("tool.before", { name: "next" }, () => allow());
    const emitted = hooks.emit("tool.before", bash);
    const closed = hooks.close();
    await clock.advance(10);
    const outcome = await settled(emitted);
    await settled(closed);
    assert.deepEqual(
      outcome.handlers.map(({ name, status, reason }) => ({ name, status, reason })),
      [
        { name: "nests", status: "failed", reason: "emit was called after close(), expected an open engine" },
        { name: "next", status: "completed", reason: null },
      ],
    );
  });

  test("called and awaited by a handler is over by that handler's deadline", async (t) => {
    const { hooks, clock } = startEngine(t);
    let closed: Promise<void> | undefined;
    hooks.on("tool.before", async () => undefined);
    hooks.on("tool.before", { name: "closes", timeoutMs: 10 }, () => {
      closed = hooks.close();
      return closed;
    });
    const emitted = hooks.emit("tool.before", bash);
    await turn();
    await clock.advance(20);
    assert.deepEqual((await settled(emitted)).decision, noDecision);
    await settled(closed);
  });

  test("called by a handler waits for the rest of that handler's event", async (t) => {
    const { hooks, clock } = startEngine(t);
    const steps: string[] = [];
    let closed: Promise<unknown> = Promise.resolve();
    hooks.on("tool.before", () => {
      closed = hooks.close().then(() => steps.push("closed"));
    });
    hooks.on("tool.before", async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
      steps.push("handled");
    });
    const emitted = hooks.emit("tool.before", bash);
    await turn();
    await clock.advance(10);
    await settled(emitted);
    await settled(closed);
    assert.deepEqual(steps, ["handled", "closed"]);
  });

  test("called by one observer waits for the observers after it", async (t) => {
    const { hooks, clock } = startEngine(t);
    const steps: string[] = [];
    let closed: Promise<unknown> = Promise.resolve();
    hooks.on("tool.before", { mode: "observe" }, () => {
      closed = hooks.close().then(() => steps.push("closed"));
    });
    hooks.on("tool.before", { mode: "observe" }, async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
      steps.push("observed");
    });
    atOnce(hooks.emit("tool.before", bash));
    await turn();
    await clock.advance(10);
    await settled(closed);
    assert.deepEqual(steps, ["observed", "closed"]);
  });
});
