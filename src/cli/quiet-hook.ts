import { realpathSync } from "node:fs";
import { adapterFor } from "../adapters/index.ts";
import { completeEntry } from "../audit/complete-entry.ts";
import { emitEntry } from "../audit/entry.ts";
import { leaveEntry, mayLeaveEntry } from "../audit/late-entries.ts";
import { SwarmError } from "../base/errors.ts";
import { Outcome } from "../events/outcome.ts";
import { validatePayload } from "../events/validate.ts";
import type { Adapter, DecodedCall, NativeAnswer } from "../ports/adapter.ts";
import { actorOf } from "../runtime/actor-of.ts";
import { type NativeRequest, payloadOf } from "../runtime/native-request.ts";
import { isQuiet, readQuietBook } from "../runtime/quiet-book.ts";
import { SharedAnswers } from "../runtime/shared-answers.ts";

/**
 * Answers a call that is known to concern no hook, and leaves its row for whoever opens the record next: the same answer
 * and the same row as the long way's, without the store, YAML and the engine, which take four times as long to load as
 * Node itself. Null where anything is in doubt, and nothing has been done then.
 */
export async function answerQuietly(
  request: NativeRequest,
  home: string,
  evaluator: string,
): Promise<NativeAnswer | null> {
  const startedAtMs = nowMs();
  try {
    const found = findQuiet(request, home, evaluator);
    if (found === null) return null;
    const { adapter, call } = found;
    const judge = async () => {
      try {
        return recorded(adapter, call, home, startedAtMs);
      } catch (error) {
        // Nobody is kept waiting for an answer that is not coming.
        return new SwarmError("SWARM_INTERNAL", { problem: (error as Error).message });
      }
    };
    const judged = await (call.key === null ? judge() : new SharedAnswers(home).once(call.key, judge));
    return judged instanceof SwarmError ? null : judged;
  } catch {
    return null;
  }
}

function findQuiet(request: NativeRequest, home: string, evaluator: string) {
  if (process.env.SWARM_LOG_HOOKS) return null;
  const payload = payloadOf(request);
  const adapter = payload && adapterFor({ payload, env: request.env }, request.agent);
  if (payload === null || adapter === null) return null;
  const call = adapter.decode({ payload, env: request.env });
  const { event, data, origin } = call;
  const cwd = realpathSync.native(origin.cwd ?? process.cwd());
  const book = readQuietBook(home, cwd, evaluator, Date.now());
  if (book === null || !isQuiet(book, event, data)) return null;
  if (!request.isGuard && book.guarded.includes(event)) return null;
  validatePayload(event, data);
  return mayLeaveEntry(home, Date.now()) ? { adapter, call } : null;
}

function recorded(adapter: Adapter, call: DecodedCall, home: string, startedAtMs: number): NativeAnswer {
  const { event, data, origin } = call;
  const outcome = new Outcome(event, data as Outcome["data"]);
  const answer = adapter.encode(outcome, call);
  const ms = nowMs() - startedAtMs;
  const entry = emitEntry(outcome, data, origin, actorOf(origin), ms, () => undefined);
  leaveEntry(home, completeEntry(entry, new Date().toISOString()));
  return answer;
}

/** Of a clock that is there: `performance` has to be loaded. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
