import { realpathSync } from "node:fs";
import { adapterFor, degrade } from "../agents/adapters/index.ts";
import { completeEntry } from "../record/audit/complete-entry.ts";
import { emitEntry, type HookOf } from "../record/audit/entry.ts";
import { leaveEntry, mayLeaveEntry } from "../record/audit/late-entries.ts";
import { SwarmError } from "../base/errors.ts";
import { Outcome } from "../engine/events/outcome.ts";
import { validatePayload } from "../engine/events/validate.ts";
import { namesOf } from "../policy/rules/files/path-names.ts";
import type { Adapter, DecodedCall, NativeAnswer } from "../agents/port/adapter.ts";
import { actorOf } from "../daemon/runtime/actor-of.ts";
import { type NativeRequest, payloadOf } from "../agents/calls/native-request.ts";
import { isKnown, readQuietBook } from "../daemon/runtime/quiet-book.ts";
import { SharedAnswers } from "../agents/calls/shared-answers.ts";

/** An answer, and whether rules were asked for it. */
interface ShortAnswer {
  readonly answer: NativeAnswer;
  readonly isRuled: boolean;
}

/**
 * Answers a call that is known to concern no hook, or rules alone, and leaves its row for whoever opens the record next:
 * the same answer and the same row as the long way's, without the store and YAML, which take four times as long to load as
 * Node itself. Null where anything is in doubt, and nothing has been done then.
 */
export async function answerQuietly(
  request: NativeRequest,
  home: string,
  evaluator: string,
): Promise<ShortAnswer | null> {
  const startedAtMs = nowMs();
  try {
    const found = await decide(request, home, evaluator);
    if (found === null) return null;
    const record = async () => {
      try {
        return recorded(found, home, startedAtMs);
      } catch (error) {
        // Nobody is kept waiting for an answer that is not coming.
        return new SwarmError("SWARM_INTERNAL", { problem: (error as Error).message });
      }
    };
    const { key } = found.call;
    const judged = await (key === null ? record() : new SharedAnswers(home).once(key, record));
    return judged instanceof SwarmError ? null : { answer: judged, isRuled: found.isRuled };
  } catch {
    return null;
  }
}

/** A call and what is to be answered. */
interface Decided {
  readonly adapter: Adapter;
  readonly call: DecodedCall;
  readonly outcome: Outcome;
  readonly hookOf: HookOf;
  readonly isRuled: boolean;
}

async function decide(request: NativeRequest, home: string, evaluator: string): Promise<Decided | null> {
  if (process.env.SWARM_LOG_HOOKS) return null;
  const payload = payloadOf(request);
  const adapter = payload && adapterFor({ payload, env: request.env }, request.agent);
  if (payload === null || adapter === null) return null;
  const call = adapter.decode({ payload, env: request.env });
  const { event, data, origin } = call;
  const cwd = realpathSync.native(origin.cwd ?? process.cwd());
  const names = namesOf(home, process.env);
  const book = readQuietBook({ home, cwd, program: evaluator, names }, Date.now());
  if (book === null || (!request.isGuard && book.guarded.includes(event))) return null;
  const isQuiet = isKnown(book.quiet, event, data, origin);
  if (!isQuiet && !isKnown(book.ruled, event, data, origin)) return null;
  validatePayload(event, data);
  if (!mayLeaveEntry(home, Date.now())) return null;
  const outcome = new Outcome(event, data as Outcome["data"]);
  if (isQuiet) return { adapter, call, outcome, hookOf: () => undefined, isRuled: false };
  const { judgeByRules } = await import("./judge-hook.ts");
  const ruled = judgeByRules(book, call);
  if (ruled === null) return null;
  const { decision, handlers, hookOf } = ruled;
  outcome.handlers = handlers;
  if (decision.verdict !== "none") outcome.decision = decision;
  // What the agent cannot be told is told in the row, in words; that is for the long way.
  if (degrade(adapter, outcome, call).length > 0) return null;
  return { adapter, call, outcome, hookOf, isRuled: true };
}

function recorded(
  { adapter, call, outcome, hookOf }: Decided,
  home: string,
  startedAtMs: number,
): NativeAnswer {
  const { data, origin } = call;
  const answer = adapter.encode(outcome, call);
  const ms = nowMs() - startedAtMs;
  const entry = emitEntry(outcome, data, origin, actorOf(origin), ms, hookOf);
  leaveEntry(home, completeEntry(entry, new Date().toISOString()));
  return answer;
}

/** Of a clock that is there: `performance` has to be loaded. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
