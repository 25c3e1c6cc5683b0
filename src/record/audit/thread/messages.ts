import type { ErrorCode } from "../../../base/error-catalog.ts";
import { SwarmError } from "../../../base/errors.ts";
import type { StoreChange } from "../../../store/port/store.ts";
import type { Durability } from "../recorder.ts";
import type { Fault } from "../verify.ts";
import type { RunEntry, RunEvent } from "../../port/run-event.ts";

/** What the thread is started with. */
export interface ThreadOptions {
  readonly home: string;
  readonly url: string;
  readonly durability: Durability;
}

export interface Addition {
  readonly entry: RunEntry;
  readonly changes: readonly StoreChange[];
}

/** What the thread is asked to do. */
export type Work =
  | {
      readonly kind: "store";
      readonly part: string | null;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  /** Entries of one turn of the event loop, to share a transaction. */
  | { readonly kind: "add"; readonly additions: readonly Addition[] }
  | { readonly kind: "accept"; readonly actor: string; readonly reason: string }
  | { readonly kind: "current_fault" }
  | { readonly kind: "close_recorder" }
  | { readonly kind: "close_store" };

export interface Request {
  readonly id: number;
  readonly work: Work;
}

/** How the recorder stands; sent with each answer, because it is asked for without waiting. */
export interface RecorderState {
  readonly fault: Fault | null;
  readonly isDamaged: boolean;
}

/** What the recorder made of an entry. The rest of the row is what was sent. */
export type ChainedFields = Pick<
  RunEvent,
  "seq" | "ref" | "before_hash" | "after_hash" | "prev_hash" | "hash"
>;

export type Settled<Value> = { readonly value: Value } | { readonly error: SentError };

/** Class instances lose their class on the way between threads: an error of ours is sent as what it was made of. */
export type SentError =
  | { readonly code: ErrorCode; readonly params: unknown; readonly message: string }
  | { readonly other: unknown };

export type Message =
  /** What the store of the thread offers, by part; null is the store itself. */
  | { readonly methods: ReadonlyMap<string | null, readonly string[]> }
  /** Why there is no store: the thread ends. */
  | { readonly failure: SentError }
  /** The first of a long list; the last part comes as what is settled. */
  | { readonly id: number; readonly part: readonly unknown[] }
  | { readonly id: number; readonly settled: Settled<unknown>; readonly state: RecorderState }
  | { readonly warning: string; readonly fields: Readonly<Record<string, unknown>> };

/** A thread reads a message as a whole: of so many rows in 1 ms, and what it has to decide meanwhile waits. */
export const partRows = 100;

/** What is sent before the last part of a list, and that; a value that is no long list is sent as it is. */
export function partsOf(value: unknown): {
  readonly first: readonly (readonly unknown[])[];
  readonly last: unknown;
} {
  if (!Array.isArray(value) || value.length <= partRows) return { first: [], last: value };
  const count = Math.ceil(value.length / partRows);
  const parts = Array.from({ length: count }, (_, at) => value.slice(at * partRows, (at + 1) * partRows));
  return { first: parts.slice(0, -1), last: parts.at(-1) };
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof SwarmError)) return { other: error };
  const { code, params, message } = error;
  return { code, params, message };
}

export function receivedError(sent: SentError): unknown {
  if ("other" in sent) return sent.other;
  return new SwarmError(sent.code, sent.params as never, { message: sent.message });
}
