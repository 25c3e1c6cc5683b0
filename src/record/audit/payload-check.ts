import type { RunEvent } from "../port/run-event.ts";
import type { VerifiableRow } from "./verify.ts";

const maxKept = 100;

/**
 * Payloads that are gone although no row of the record says that they were forgotten. A row `payloads.expired` comes after the
 * rows it is about, so those that are missing are kept in mind until it has been read: the newest are enough, because what is
 * older than any of them that was forgotten was forgotten as well.
 */
export class PayloadCheck {
  /** The newest of them. */
  #missing: Pick<RunEvent, "seq" | "time">[] = [];
  #forgottenBefore = "";

  /** `isKept`: whether the row says that its payload was kept; a large one is not. */
  add({ row, payload }: VerifiableRow, isKept: () => boolean): void {
    if (row.kind === "change" && row.event === "payloads.expired") this.#forget(row);
    const isMissing =
      (row.before_hash !== null && (payload?.before ?? null) === null) ||
      (row.after_hash !== null && (payload?.after ?? null) === null);
    if (!isMissing || !isKept()) return;
    this.#missing.push({ seq: row.seq, time: row.time });
    if (this.#missing.length >= 10 * maxKept) this.#missing = newest(this.#missing);
  }

  /** By their numbers. */
  missing(): number[] {
    return newest(this.#missing.filter(({ time }) => time >= this.#forgottenBefore))
      .map(({ seq }) => seq)
      .sort((a, b) => a - b);
  }

  #forget({ reason }: RunEvent): void {
    const before = forgottenBefore(reason ?? "");
    if (before > this.#forgottenBefore) this.#forgottenBefore = before;
  }
}

function newest(rows: readonly Pick<RunEvent, "seq" | "time">[]) {
  return rows.toSorted((a, b) => (a.time < b.time ? 1 : -1)).slice(0, maxKept);
}

/** What the row of a retention says, and where that is read. */
export function forgottenReason(what: string, olderThan: string, days: number): string {
  return `${what} from before ${olderThan}, kept for ${days} days`;
}

function forgottenBefore(reason: string): string {
  return / from before (\d{4}-\d\d-\d\dT[\d:.]+Z), kept for /.exec(reason)?.[1] ?? "";
}
