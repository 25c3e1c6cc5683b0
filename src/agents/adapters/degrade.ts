import { limits } from "../../base/limits.ts";
import { cut } from "../../base/show.ts";
import { type Decision, noDecision } from "../../engine/events/decision.ts";
import { rowOf } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { Adapter, DecodedCall, NativeEvent } from "../port/adapter.ts";
import { rowOfCall } from "./event-rows.ts";
import { changedFields, withoutChange } from "./rewrites.ts";

/**
 * Turns an outcome into one the agent can be told, in place, and says in words what became of the rest. In doubt the
 * action is refused: an agent does what it wants with an answer it does not understand, which is to go on.
 */
export function degrade(adapter: Adapter, outcome: Outcome, call: DecodedCall): string[] {
  if (outcome.decision === noDecision && outcome.data === call.data) return [];
  const event = rowOfCall(adapter.events, call) ?? saysNothing;
  const degrading: Degrading = {
    adapter,
    event,
    outcome,
    call,
    at: `${adapter.title}'s ${call.nativeEvent}`,
    notes: [],
  };
  degradeVerdict(degrading);
  // After the verdict: some rewrites hang on an allowance.
  degradeRewrites(degrading);
  degradeStop(degrading);
  // Last, because context may have to go into the reason of a denial.
  degradeContext(degrading);
  return degrading.notes;
}

interface Degrading {
  readonly adapter: Adapter;
  readonly event: Omit<NativeEvent, "native">;
  readonly outcome: Outcome;
  readonly call: DecodedCall;
  /** `Codex's PreToolUse`, for the notes. */
  readonly at: string;
  readonly notes: string[];
}

/** An event the adapter does not know: whatever it is told, nobody knows what would happen. */
const saysNothing: Degrading["event"] = {
  event: "native.unknown",
  installed: "never",
  verdicts: [],
  deny: "nothing",
  rewrites: [],
  rewriteNeedsAllow: false,
  takesContext: false,
  maxContextChars: null,
  takesStop: false,
  actsBeforeStop: false,
  timeoutS: 0,
  maxTimeoutS: null,
};

function degradeVerdict(degrading: Degrading): void {
  const { event, outcome, at, notes } = degrading;
  const { verdict, reason } = outcome.decision;
  if (verdict === "none" || event.verdicts.includes(verdict)) return;
  switch (verdict) {
    case "deny":
      notes.push(`deny has no effect at ${at}`);
      return;
    case "allow":
      change(outcome, { verdict: "none" });
      // Elsewhere nothing is lost: nobody is asked, so nothing is left to allow.
      if (rowOf(outcome.event).verdicts.length > 0) notes.push(`allow grants nothing at ${at}`);
      return;
    case "ask":
    case "defer": {
      change(outcome, { verdict: "none" });
      const cannot = verdict === "ask" ? "no person can be asked" : "the call cannot wait";
      const why = `${cannot} at ${at}`;
      refuse(degrading, reason === null ? why : `${reason} (${why})`, `${verdict}: ${why}`);
      return;
    }
  }
}

function degradeRewrites(degrading: Degrading): void {
  const { outcome, call, notes } = degrading;
  if (outcome.data === call.data) return;
  for (const field of changedFields(call.data, outcome.data)) {
    const value = (outcome.data as Record<string, unknown>)[field];
    const why = whyNotRewritten(degrading, field, value);
    if (why === null) continue;
    outcome.data = withoutChange(call.data, outcome.data, field);
    // What the agent has no notion of is no part of the action: without it the action is still what was judged.
    if (!Object.hasOwn(call.data, field)) {
      notes.push(`rewrite of ${field}: ${why}`);
      continue;
    }
    const suggestion = typeof value === "string" ? value : JSON.stringify(value);
    refuse(degrading, `${why}. Suggested instead, as ${field}: ${suggestion}`, `rewrite of ${field}: ${why}`);
  }
}

function whyNotRewritten({ adapter, event, outcome, call, at }: Degrading, field: string, value: unknown) {
  if (!event.rewrites.includes(field)) return `${field} cannot be changed at ${at}`;
  const { verdict } = outcome.decision;
  if (event.rewriteNeedsAllow && verdict !== "allow" && verdict !== "deny") {
    return `${field} can only be changed together with an allow at ${at}`;
  }
  const why = adapter.whyNotRewritten(call, field, value);
  return why === null ? null : `${field} cannot be changed at ${at}: ${why}`;
}

function degradeStop(degrading: Degrading): void {
  const { event, outcome, at, notes } = degrading;
  const { stop, verdict } = outcome.decision;
  if (stop === null) return;
  if (!event.takesStop) {
    change(outcome, { stop: null });
    refuse(degrading, `the run should end: ${stop}`, `stop (${stop}): the run cannot be ended at ${at}`);
  } else if (event.actsBeforeStop && verdict !== "deny") {
    refuse(degrading, stop, `stop: the action at hand would still happen at ${at}`);
  } else if (event.deny === "keeps_working" && verdict === "deny") {
    notes.push(`deny: the run ends at ${at}, which another hook asked for`);
  }
}

function degradeContext(degrading: Degrading): void {
  const { event, outcome, at, notes } = degrading;
  const { context, verdict, reason } = outcome.decision;
  const max = event.maxContextChars;
  if (event.takesContext && max !== null && context.join("\n\n").length > max) {
    change(outcome, { context: [cut(context.join("\n\n"), max)] });
    notes.push(`context: cut to ${max} characters at ${at}`);
  }
  if (context.length === 0 || event.takesContext) return;
  change(outcome, { context: [] });
  const isRead = verdict === "deny" && (event.deny === "feedback" || event.deny === "keeps_working");
  if (isRead) change(outcome, { reason: limited([reason, ...context].filter(Boolean).join("\n\n")) });
  notes.push(`context: ${isRead ? "told within the reason" : "does not reach the model"} at ${at}`);
}

/**
 * Denies, where that hinders just this action or is read by the model. Where it would end the run it is too much, where
 * it would keep the agent at work it is the opposite of what was wanted: there the note is all.
 */
function refuse({ event, outcome, notes }: Degrading, reason: string, note: string): void {
  const isRefused = event.deny === "prevents" || event.deny === "feedback";
  notes.push(isRefused ? `${note}, so it is denied` : note);
  if (!isRefused) return;
  const before = outcome.decision.verdict === "deny" ? outcome.decision.reason : null;
  change(outcome, { verdict: "deny", reason: limited(before === null ? reason : `${before}\n${reason}`) });
}

function change(outcome: Outcome, decision: Partial<Decision>): void {
  outcome.decision = { ...outcome.decision, ...decision };
}

/** A model reads it, so the same bound holds as for any other text it is given. */
function limited(reason: string): string {
  return cut(reason, limits.contextChars);
}
