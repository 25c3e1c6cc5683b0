import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { degrade } from "../adapters/degrade.ts";
import { rowOfCall } from "../adapters/event-rows.ts";
import { nativeValue } from "../adapters/fields.ts";
import { type Decision, noDecision, type Verdict } from "../../engine/events/decision.ts";
import { rewritableFields, rowOf } from "../../engine/events/names.ts";
import { Outcome } from "../../engine/events/outcome.ts";
import { type Field, fits } from "../../engine/events/schema.ts";
import type { AdapterCase, Told } from "./adapter.cases.ts";
import type { DecodedCall } from "./adapter.ts";
import { readFixtures } from "./fixtures.cases.ts";

type Json = Readonly<Record<string, unknown>>;

/** One outcome of the engine, what the adapter made of it, and what the agent makes of that. */
interface Answered {
  readonly call: DecodedCall;
  readonly before: Decision;
  readonly rewrite: Json;
  readonly after: Decision;
  readonly notes: readonly string[];
  readonly told: Told;
}

export function answerCases({
  adapter,
  fixtures: folder,
  env,
  read,
  toolEvent,
  silence = "",
}: AdapterCase): void {
  const calls = readFixtures(folder).map((fixture) =>
    adapter.decode({ payload: fixture.payload, env: env(fixture) }),
  );

  const answer = (call: DecodedCall, decision: Decision, rewrite: Json): Answered => {
    const outcome = new Outcome(call.event, { ...call.data, ...rewrite } as Outcome["data"]);
    outcome.decision = decision;
    const notes = degrade(adapter, outcome, call);
    const told = read(call.nativeEvent, adapter.encode(outcome, call), call);
    return { call, before: decision, rewrite, after: outcome.decision, notes, told };
  };

  const always = (what: string, check: (answered: Answered) => void): void => {
    test(what, () => {
      const cases = fc.constantFrom(...calls).chain((call) => fc.tuple(fc.constant(call), ...outcomes(call)));
      fc.assert(
        fc.property(cases, ([call, decision, rewrite]) => check(answer(call, decision, rewrite))),
        { numRuns: 500 },
      );
    });
  };

  test("nothing to say is nothing on stdout, or what the agent takes for it", () => {
    for (const call of calls) {
      const outcome = new Outcome(call.event, call.data as Outcome["data"]);
      assert.deepEqual(degrade(adapter, outcome, call), []);
      assert.deepEqual(adapter.encode(outcome, call), { stdout: silence, stderr: "", exitCode: 0 });
    }
  });

  always("a denial stays one wherever it means anything, and elsewhere it is reported", (answered) => {
    if (answered.before.verdict !== "deny") return;
    if (denyOf(answered) === "nothing") assert.match(answered.notes.join("\n"), /^deny has no effect/m);
    else assert.equal(answered.told.isDenied, true);
    assert.equal(answered.after.verdict, "deny");
  });

  always("nothing but a denial denies, and a stop where the two are one", (answered) => {
    const { before, after, told } = answered;
    const isEnded = denyOf(answered) === "ends_run" && before.stop !== null;
    assert.ok(!told.isDenied || after.verdict === "deny" || isEnded);
  });

  always("without a word, nothing is denied that no hook denied", (answered) => {
    const { before, notes, told } = answered;
    const isEnded = denyOf(answered) === "ends_run" && before.stop !== null;
    assert.ok(!told.isDenied || before.verdict === "deny" || isEnded || notes.length > 0);
  });

  always("a reason reaches whoever is denied", ({ before, after, told }) => {
    if (!told.isDenied || after.verdict !== "deny") return;
    assert.notEqual(told.reason.trim(), "");
    if (before.verdict === "deny" && before.reason?.trim()) {
      assert.ok(told.reason.includes(wellFormed(before.reason.trim())), "the hook's own words are in it");
    }
    assert.ok(told.reason.length <= 51_000 && (after.reason ?? "").length <= 51_000);
  });

  always("nothing is allowed that no hook allowed", ({ before, told }) => {
    assert.ok(!told.isAllowed || before.verdict === "allow");
  });

  always("what a person has to decide is never decided by silence", ({ before, told, notes }) => {
    if (before.verdict !== "ask" && before.verdict !== "defer") return;
    assert.ok(told.isAsked || told.isDenied);
    assert.ok(told.isAsked || notes.length > 0);
  });

  always("what was rewritten is applied as a whole, or the action is denied", (answered) => {
    const { call, rewrite, told } = answered;
    // What is over and can be told nothing is left to the report.
    const isOver = call.event === "tool.after" && denyOf(answered) === "nothing";
    for (const field of isOver ? [] : ["tool_input", "prompt", "tool_output"]) {
      if (!(field in rewrite) || told.isDenied) continue;
      if (JSON.stringify(rewrite[field]) === JSON.stringify(call.data[field])) continue;
      assert.deepEqual(told.rewritten, asSent(nativeValue(rewrite[field])));
    }
  });

  always("nothing is rewritten that no hook rewrote", ({ rewrite, told }) => {
    assert.ok(told.rewritten === undefined || Object.values(rewrite).length > 0);
  });

  always("a rewrite that is lost is reported, unless nothing happens any more", (answered) => {
    const { call, rewrite, told, notes } = answered;
    if (told.isDenied && denyOf(answered) === "prevents") return;
    for (const field of Object.keys(rewrite)) {
      const isSame = JSON.stringify(rewrite[field]) === JSON.stringify(call.data[field]);
      const isNothing = JSON.stringify(rewrite[field]) === "[]";
      if (isSame || isNothing || told.rewritten !== undefined) continue;
      assert.match(notes.join("\n"), new RegExp(`^rewrite of ${field}: `, "m"));
    }
  });

  always(
    "a run that should end does, or the action is denied, or it is reported",
    ({ before, told, notes }) => {
      if (before.stop === null) return;
      assert.ok(told.isStopped || notes.some((note) => note.startsWith("stop (")));
    },
  );

  always("an action at hand does not happen in a run that should end", (answered) => {
    const { before, told } = answered;
    if (before.stop !== null && denyOf(answered) === "prevents") assert.ok(told.isDenied || told.isStopped);
    const event = rowOfCall(adapter.events, answered.call);
    if (before.stop !== null && event?.actsBeforeStop === true) assert.equal(told.isDenied, true);
  });

  always("nothing keeps an agent at work but a hook's own denial", (answered) => {
    const isKept = denyOf(answered) === "keeps_working" && answered.told.isDenied;
    assert.ok(!isKept || answered.before.verdict === "deny");
  });

  always("nothing ends a run but who asked for it", (answered) => {
    const { before, told } = answered;
    const isEndedByDenial = denyOf(answered) === "ends_run" && before.verdict === "deny";
    assert.ok(!told.isStopped || before.stop !== null || isEndedByDenial);
  });

  always("context reaches the model, or it is reported", ({ before, told, notes }) => {
    const texts = before.context.map((text) => wellFormed(text).trim());
    const isTold = texts.every((text) => told.context.includes(text) || told.reason.includes(text));
    assert.ok(isTold || notes.some((note) => note.startsWith("context: does not reach the model")));
  });

  test("an answer has only what its event takes, even if nobody has degraded the outcome", () => {
    const cases = fc.constantFrom(...calls).chain((call) => fc.tuple(fc.constant(call), outcomes(call)[0]));
    fc.assert(
      fc.property(cases, ([call, decision]) => {
        const outcome = new Outcome(call.event, call.data as Outcome["data"]);
        outcome.decision = decision;
        const told = read(call.nativeEvent, adapter.encode(outcome, call), call);
        const deny = rowOfCall(adapter.events, call)?.deny ?? "nothing";
        assert.ok(decision.verdict !== "deny" || deny === "nothing" || told.isDenied);
      }),
      { numRuns: 500 },
    );
  });

  test("a refusal without an outcome denies, whatever its reason", () => {
    const call = calls.find(({ nativeEvent }) => nativeEvent === toolEvent);
    assert.ok(call !== undefined);
    for (const reason of ["no", "", " \n", "7", '"no"', "{}", '{"decision":"allow"}']) {
      const answer = adapter.refuse(reason);
      assert.deepEqual([answer.stdout, answer.exitCode, answer.stderr.trim() !== ""], ["", 2, true]);
      assert.equal(read(toolEvent, answer, call).isDenied, true, reason);
      assert.equal(read(toolEvent, adapter.refuse(reason, call), call).isDenied, true, reason);
    }
  });

  function denyOf({ call }: Answered): string {
    return rowOfCall(adapter.events, call)?.deny ?? "nothing";
  }
}

/** As it arrives: without -0, and without half of a surrogate pair. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === "string" ? wellFormed(item) : item)));
}

function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

const texts = fc.oneof(fc.constantFrom("no", "", " ", "\ud800", "two\nlines"), fc.string({ maxLength: 20 }));

/** Every decision the engine can come to at an event, and every rewrite it lets through. */
function outcomes({ event, data }: DecodedCall): [fc.Arbitrary<Decision>, fc.Arbitrary<Json>] {
  const row = rowOf(event);
  const verdicts: Verdict[] = ["none", "allow", "deny", ...row.verdicts];
  const decision = fc.record({
    verdict: fc.constantFrom(...verdicts),
    reason: fc.option(texts),
    hook: fc.option(fc.constant("a hook")),
    context: fc.array(texts, { maxLength: 2 }),
    stop: fc.option(texts, { freq: 2 }),
  });
  const rewrites = Object.fromEntries(
    rewritableFields(row).flatMap((field) => {
      const spec = row.payload[field];
      return spec === undefined ? [] : [[field, valuesFor(spec, data[field])]];
    }),
  );
  return [fc.oneof(fc.constant(noDecision), decision), fc.record(rewrites, { requiredKeys: [] })];
}

/** Values of the field's type, some of them like the one it has. */
function valuesFor(spec: Field, now: unknown): fc.Arbitrary<unknown> {
  const like =
    typeof now === "object" && now !== null && !Array.isArray(now)
      ? fc
          .dictionary(fc.constantFrom(...Object.keys(now), "added"), texts)
          .map((more) => ({ ...now, ...more }))
      : fc.constant(now ?? null);
  const command = texts.map((text) => ({ command: text }));
  const any = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(texts), command, like);
  return any.filter((value) => fits(spec, value));
}
