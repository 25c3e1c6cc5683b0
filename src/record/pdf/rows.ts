import type { RunEvent } from "../port/run-event.ts";
import type { Store } from "../../store/port/store.ts";

/** Little enough that the longest reasons of all of them fit in memory many times. */
const batch = 250;

/** Rows after `afterSeq` up to `upToSeq`, oldest first. Read anew for every part of a document: nothing is kept. */
export async function* rowsBetween(
  store: Pick<Store, "readRunEvents">,
  afterSeq: number,
  upToSeq: number,
): AsyncGenerator<RunEvent> {
  for (let after = afterSeq; after < upToSeq; ) {
    const rows = await store.readRunEvents(after, batch);
    for (const row of rows) {
      if (row.seq > upToSeq) return;
      yield row;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}
