import type { Origin } from "../../engine/events/envelope.ts";
import type { JsonObject } from "../../engine/events/schema.ts";

/** A run whose hooks had nothing against it. */
export interface RunRequest {
  /** What announced it. */
  readonly event: "cron.fired" | "batch.started" | "tool.before";
  /** As the event that announced it: what is judged is what runs. */
  readonly data: JsonObject;
  /** Its `task` is the run: asked again after a restart it is the same question, and the next run is another. */
  readonly origin: Origin;
  /** Who has a person asked, whatever the rules say, and why; null: only if they do. */
  readonly asked: { readonly by: string | null; readonly reason: string } | null;
  /** Whether the rules have judged it with the event that announced it. After a restart no event does. */
  readonly isJudged: boolean;
}

export type RunPermission =
  | { readonly verdict: "allow" }
  | { readonly verdict: "deny"; readonly reason: string }
  | {
      readonly verdict: "ask";
      readonly reason: string;
      /** Resolves when somebody has decided, however long that takes; to null when we leave before. */
      decided(signal: AbortSignal): Promise<RunDecision | null>;
    };

export interface RunDecision {
  readonly isApproved: boolean;
  readonly reason: string;
}

/** Why the rules in force would deny a run; null: they would not. Nobody is asked. */
export type DeniedNow = (request: Pick<RunRequest, "event" | "data" | "origin">) => Promise<string | null>;

/** Judges by the rules in force, and asks people. What cannot be judged is denied. */
export type MayRun = (request: RunRequest) => Promise<RunPermission>;
