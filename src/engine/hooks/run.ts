import { Answer } from "../events/answer.ts";
import type { Origin } from "../events/envelope.ts";
import { Outcome } from "../events/outcome.ts";
import { HookCall } from "./call.ts";
import type { Hook } from "./definition.ts";
import type { Engine } from "./engine.ts";
import type { Data } from "./merge.ts";
import { isThenable, Pending, type Waiter } from "./pending.ts";
import type { Plan } from "./plan.ts";
import { isDenial } from "./read-answer.ts";
import type { EventHooks } from "./registry.ts";
import { addAnswer, addFailure, addRecord, asSwarmError, startTrace, type Tally } from "./tally.ts";

/**
 * One event on its way through its plan. A plain record and functions instead of a class with private methods: one
 * is made for every emit, and the private brand alone cost a tenth of it.
 */
interface Run extends Tally {
  readonly plan: Plan;
  /** The next of the plan's deciders to call. */
  next: number;
  call: HookCall | null;
  /** Waits for the transform at work; transforms run one after another, so they share it. */
  series: Pending<Run> | null;
  /** The guards at work; null until one has to be waited for. */
  guards: Set<Pending<Run>> | null;
  /** What guards have answered while others are at work: merged in the plan's order, whoever was faster. */
  held: Held[];
  /** Null as long as every handler has answered at once. */
  resolve: ((outcome: Outcome) => void) | null;
  reject: ((error: unknown) => void) | null;
}

interface Held {
  readonly hook: Hook;
  readonly returned: unknown;
  readonly ms: number;
}

const nothingHeld: Held[] = [];

/**
 * Runs a plan: transforms one after another, then guards together, then the decision; observers are left to the
 * background. Everything stays synchronous until a handler returns a promise. From there on each answer, rejection
 * or passed deadline calls `advance` again, and the outer promise resolves when that reports the end.
 */
export function runPlan(
  engine: Engine,
  hooks: EventHooks,
  plan: Plan,
  data: Data,
  origin: Origin | undefined,
): Outcome | Promise<Outcome> {
  const outcome = new Outcome(hooks.event, data as Outcome["data"]);
  const trace = engine.isTracing ? startTrace(engine.clock, outcome) : null;
  const run: Run = {
    engine,
    hooks,
    outcome,
    trace,
    plan,
    origin,
    next: 0,
    call: null,
    series: null,
    guards: null,
    held: nothingHeld,
    resolve: null,
    reject: null,
  };
  if (advance(run)) return finish(run);
  engine.background.enter();
  return new Promise((resolve, reject) => {
    run.resolve = resolve;
    run.reject = reject;
  });
}

/** Calls deciders until one has to be waited for; true when the decision is made. */
function advance(run: Run): boolean {
  const { deciders } = run.plan;
  while (run.next < deciders.length) {
    const hook = deciders[run.next++] as Hook;
    const startedAtMs = run.trace === null ? 0 : run.trace.clockMs;
    let returned: unknown;
    try {
      const data: Data = run.outcome.data;
      if (!hook.isActive || (hook.when !== null && !hook.when(data, run.origin))) {
        skip(run, hook, whySkipped(hook));
        continue;
      }
      const call = run.call === null || run.call.isWatched ? newCall(run) : run.call;
      returned = hook.handler(data, call);
      if (returned === undefined && run.trace === null) continue;
      if (returned !== undefined && !(returned instanceof Answer) && isThenable(returned)) {
        waitFor(run, hook, call, returned, startedAtMs);
        // Guards judge the same, final payload, so all of them start before any is waited for.
        if (hook.mode === "guard") continue;
        return false;
      }
    } catch (error) {
      if (addFailure(run, hook, "failed", error, startedAtMs)) return true;
      continue;
    }
    const isEnded =
      run.guards === null
        ? addAnswer(run, hook, returned, startedAtMs)
        : holdAnswer(run, hook, returned, startedAtMs);
    if (isEnded) return true;
  }
  return run.guards === null || (run.guards.size === 0 && mergeHeld(run));
}

/** A denial decides at once; anything else waits for the guards that are still at work. */
function holdAnswer(run: Run, hook: Hook, returned: unknown, startedAtMs: number): boolean {
  if (isDenial(returned)) {
    mergeHeld(run);
    return addAnswer(run, hook, returned, startedAtMs);
  }
  if (run.held === nothingHeld) run.held = [];
  run.held.push({
    hook,
    returned,
    ms: run.trace === null ? 0 : run.engine.clock.monotonicMs() - startedAtMs,
  });
  return false;
}

function mergeHeld(run: Run): true {
  const { deciders } = run.plan;
  const nowMs = run.trace === null ? 0 : run.engine.clock.monotonicMs();
  const inOrder = run.held.toSorted((a, b) => deciders.indexOf(a.hook) - deciders.indexOf(b.hook));
  run.held = nothingHeld;
  for (const { hook, returned, ms } of inOrder) {
    // None of these denies, though one may fail to be read and deny by that; the others have answered all the same.
    addAnswer(run, hook, returned, nowMs - ms);
  }
  return true;
}

function whySkipped(hook: Hook): string {
  return hook.isActive ? hook.skipReason : "it was removed while the event was under way";
}

function skip(run: Run, hook: Hook, why: string): void {
  addRecord(run, hook, "skipped", "none", why, 0);
}

/** Handlers in series share a call as long as none has looked at its signal: making one is a tenth of an emit. */
function newCall(run: Run): HookCall {
  run.call = new HookCall(run.outcome, run.origin, run.engine.clock);
  return run.call;
}

function waitFor(
  run: Run,
  hook: Hook,
  call: HookCall,
  returned: PromiseLike<unknown>,
  startedAtMs: number,
): void {
  // A foreign thenable may throw or answer twice; once it is a native promise it does neither.
  const answer = Promise.resolve(returned);
  pendingFor(run, hook, call).wait(answer, startedAtMs);
  if (run.trace !== null) run.trace.clockMs = run.engine.clock.monotonicMs();
}

function pendingFor(run: Run, hook: Hook, call: HookCall): Pending<Run> {
  if (hook.mode === "guard") {
    const pending = new Pending(waiter, run, run.engine.deadlines, hook, call);
    run.guards ??= new Set();
    run.guards.add(pending);
    // At work beside other guards: the call, and with it the signal, is this one's alone.
    run.call = null;
    run.series?.end();
    return pending;
  }
  if (run.series === null) run.series = new Pending(waiter, run, run.engine.deadlines, hook, call);
  else run.series.reuse(hook, call);
  return run.series;
}

const waiter: Waiter<Run> = {
  answered(run, pending, value) {
    const { hook, startedAtMs } = pending;
    if (retireGuard(run, pending)) goOn(run, holdAnswer(run, hook, value, startedAtMs));
    else goOn(run, addAnswer(run, hook, value, startedAtMs));
  },
  rejected(run, pending, error) {
    retireGuard(run, pending);
    goOn(run, addFailure(run, pending.hook, "failed", error, pending.startedAtMs));
  },
  timedOut(run, pending, error) {
    if (pending === run.series) {
      run.series = null;
      run.call = null;
    }
    retireGuard(run, pending);
    goOn(run, addFailure(run, pending.hook, "timed_out", error, pending.startedAtMs));
  },
};

function retireGuard(run: Run, pending: Pending<Run>): boolean {
  if (pending.hook.mode !== "guard") return false;
  pending.end();
  run.guards?.delete(pending);
  return true;
}

/** After something that was waited for: the rest of the plan, or the end. */
function goOn(run: Run, isChainEnded: boolean): void {
  try {
    if (!isChainEnded && !advance(run)) return;
    run.resolve?.(finish(run));
  } catch (error) {
    // Only a fault of our own gets here; the caller must hear of it rather than wait for ever.
    run.reject?.(error);
  }
  run.engine.background.leave();
}

function finish(run: Run): Outcome {
  run.series?.end();
  // Left when a guard's failure has denied.
  if (run.held.length > 0) mergeHeld(run);
  if (run.guards !== null && run.guards.size > 0) cancelGuards(run, run.guards);
  if (run.trace !== null) recordUncalled(run, run.trace.records.length);
  if (run.plan.observers.length > 0) scheduleObservers(run);
  return run.outcome;
}

/** Before the outcome leaves, so that what was noted can be kept with it. A failure changes nothing about it. */
function takeNote(run: Run, hook: Hook): void {
  const { engine, outcome, origin, trace } = run;
  const startedAtMs = trace === null ? 0 : trace.clockMs;
  try {
    if (!hook.isActive || (hook.when !== null && !hook.when(outcome.data, origin, outcome.decision))) {
      skip(run, hook, whySkipped(hook));
      return;
    }
    hook.handler(outcome.data, new HookCall(outcome, origin, engine.clock, true));
    addRecord(run, hook, "completed", "none", null, startedAtMs);
  } catch (error) {
    const failure = asSwarmError(hook, error);
    engine.failures.report(hook, outcome, origin, "failed", failure);
    addRecord(run, hook, "failed", "none", failure.message, startedAtMs);
  }
}

function cancelGuards(run: Run, guards: Set<Pending<Run>>): void {
  const reason = new DOMException("another guard has denied the action", "AbortError");
  for (const pending of guards) {
    pending.cancel(reason);
    addRecord(run, pending.hook, "cancelled", "none", reason.message, pending.startedAtMs);
  }
  guards.clear();
}

/** Deciders are called in the plan's order, so those without a record are the last ones. */
function recordUncalled(run: Run, called: number): void {
  for (const hook of run.plan.deciders.slice(called))
    skip(run, hook, "an earlier hook has denied the action");
}

function scheduleObservers(run: Run): void {
  const { engine, outcome, origin, trace } = run;
  const isDenied = outcome.decision.verdict === "deny";
  for (const hook of run.plan.observers) {
    if (isDenied && !hook.onDenied) skip(run, hook, "the action was denied, and it has no onDenied");
    else if (hook.takesNote) takeNote(run, hook);
    else engine.observers.schedule(hook, outcome, origin, trace?.records ?? null);
  }
}
