import { existsSync } from "node:fs";
import { join } from "node:path";
import { caughtUpStore } from "../audit/caught-up-store.ts";
import { Journal, readJournal } from "../audit/journal.ts";
import { JournaledRecorder, recordLeftovers } from "../audit/journaled-recorder.ts";
import { lateEntries } from "../audit/late-entries.ts";
import { type Durability, Recorder } from "../audit/recorder.ts";
import type { SigningKey } from "../audit/signing-key.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Store } from "../ports/store.ts";

interface RecordOptions {
  readonly home: string;
  readonly store: Store;
  readonly key: SigningKey;
  readonly clock: Clock;
  readonly log: Log;
  readonly durability: Durability;
  /** Of its kind the only process on this home, as the daemon is. */
  readonly isResident: boolean;
}

export interface OpenRecord {
  readonly audit: Recorder | JournaledRecorder;
  readonly store: Store;
  /** Records what processes have left that did not open the store. */
  takeLate(): Promise<void>;
}

/** Where rows are written and read. A process that stays acknowledges decisions from a journal of its own. */
export async function openRecord(options: RecordOptions): Promise<OpenRecord> {
  const { home, store, clock, log, durability, isResident } = options;
  const recorder = new Recorder(options);
  const file = join(home, "journal");
  if (existsSync(file)) {
    const found = await recordLeftovers(readJournal(file), store, recorder);
    if (found > 0) log.warn(`recorded ${found} decisions that a daemon had left in its journal`, { file });
  }
  const takeLate = async (): Promise<void> => {
    const late = lateEntries(home, clock.now());
    if (late === null) return;
    for (const damaged of late.damaged)
      log.warn("an entry of the record is not what was written, and is set aside", { file: damaged });
    await recordLeftovers(late.entries, store, recorder);
    await store.sync();
    late.forget();
  };
  await takeLate();
  if (!isResident || durability !== "process") return { audit: recorder, store, takeLate };
  const audit = new JournaledRecorder({ recorder, journal: new Journal(file), store, clock, log });
  return { audit, store: caughtUpStore(store, audit), takeLate };
}
