import { SwarmError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/show.ts";
import type { MayRun, RunPermission, RunRequest } from "../../port/may-run.ts";
import type { RunSpec } from "../run-spec.ts";
import { type BatchEvents, originOf, startedPayload } from "./events.ts";

export interface PermitOptions {
  readonly events: BatchEvents;
  readonly mayRun: MayRun;
}

/** Asks the hooks of `batch.started`, then the rules, whatever the processor is. What cannot be judged is denied. */
export async function permit(
  spec: RunSpec,
  leg: number,
  actor: string,
  { events, mayRun }: PermitOptions,
): Promise<RunPermission> {
  try {
    const { verdict, hook, reason: said } = (await events.started(spec, leg, actor)).decision;
    const words = oneLine(`${hook ?? "a hook"}${said === null ? "" : `: ${said}`}`, 1_000);
    if (verdict === "deny") return { verdict, reason: `denied by ${words}` };
    const isAsked = verdict === "ask" || verdict === "defer";
    const asked = isAsked ? { by: hook, reason: `an approval is asked for by ${words}` } : null;
    return await mayRun(requestOf(spec, leg, asked, true));
  } catch (error) {
    return unjudged(error);
  }
}

/** The same question again, of a run that waits for its answer. */
export async function permitAgain(
  spec: RunSpec,
  leg: number,
  reason: string,
  { mayRun }: Pick<PermitOptions, "mayRun">,
): Promise<RunPermission> {
  try {
    return await mayRun(requestOf(spec, leg, { by: null, reason }, false));
  } catch (error) {
    return unjudged(error);
  }
}

function requestOf(spec: RunSpec, leg: number, asked: RunRequest["asked"], isJudged: boolean): RunRequest {
  return { event: "batch.started", data: startedPayload(spec, leg), origin: originOf(spec), asked, isJudged };
}

function unjudged(error: unknown): RunPermission {
  if (!(error instanceof SwarmError)) throw error;
  return { verdict: "deny", reason: `it could not be judged: ${error.message}` };
}
