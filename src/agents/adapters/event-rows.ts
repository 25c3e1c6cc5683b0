import type { DecodedCall, NativeCall, NativeEvent } from "../port/adapter.ts";

/** A row of an agent's table of events. */
export interface EventRow<DenyForm extends string = string> extends NativeEvent {
  /** How a denial is said. */
  readonly denyForm: DenyForm | null;
  /** Where one native event stands for several of ours: whether this row is about the payload at hand. */
  readonly when?: (payload: NativeCall["payload"]) => boolean;
}

const defaults = {
  event: "native.unknown",
  installed: "always",
  verdicts: [],
  deny: "nothing",
  denyForm: null,
  rewrites: [],
  rewriteNeedsAllow: false,
  takesContext: false,
  maxContextChars: null,
  takesStop: false,
  actsBeforeStop: false,
  maxTimeoutS: null,
} as const satisfies Omit<EventRow, "native" | "timeoutS">;

/** Makes rows of one agent: whatever a row does not say is not so. */
export function rowsOf<DenyForm extends string>(timeoutS: number) {
  return (native: string, said: Partial<EventRow<DenyForm>>): EventRow<DenyForm> => ({
    native,
    ...defaults,
    timeoutS,
    ...said,
  });
}

/** The row a payload is about; the first that is. */
export function rowFor<Row extends EventRow>(
  rows: readonly Row[],
  native: string,
  payload: NativeCall["payload"],
): Row | undefined {
  return rows.find((row) => row.native === native && (row.when?.(payload) ?? true));
}

/** The row of a call that has been decoded. */
export function rowOfCall<Row extends NativeEvent>(
  rows: readonly Row[],
  { nativeEvent, event }: Pick<DecodedCall, "nativeEvent" | "event">,
): Row | undefined {
  return rows.find((row) => row.native === nativeEvent && row.event === event);
}
