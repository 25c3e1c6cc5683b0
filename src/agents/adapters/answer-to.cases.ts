import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Decision, noDecision } from "../../engine/events/decision.ts";
import { Outcome } from "../../engine/events/outcome.ts";
import type { Adapter, NativeAnswer, NativeCall } from "../port/adapter.ts";
import { degrade } from "./degrade.ts";

type Json = Readonly<Record<string, unknown>>;

/** A payload of an agent's fixtures. */
export function fixture(agent: string, name: string): NativeCall["payload"] {
  return JSON.parse(readFileSync(join(import.meta.dirname, agent, "fixtures", `${name}.json`), "utf8"));
}

export interface Answer {
  readonly outcome: Outcome;
  readonly notes: readonly string[];
  readonly native: NativeAnswer;
  /** Stdout, read as JSON; null when it is empty. */
  readonly json: Json | null;
}

/** What the agent is told when hooks come to this decision and these fields. */
export function answerTo(
  adapter: Adapter,
  payload: NativeCall["payload"],
  decision: Partial<Decision>,
  rewrite: Json = {},
): Answer {
  const call = adapter.decode({ payload, env: {} });
  const isSame = Object.keys(rewrite).length === 0;
  const outcome = new Outcome(
    call.event,
    (isSame ? call.data : { ...call.data, ...rewrite }) as Outcome["data"],
  );
  outcome.decision = { ...noDecision, ...decision };
  const notes = degrade(adapter, outcome, call);
  const native = adapter.encode(outcome, call);
  return { outcome, notes, native, json: native.stdout.startsWith("{") ? JSON.parse(native.stdout) : null };
}
