import { existsSync } from "node:fs";
import { join } from "node:path";
import { caughtUpStore } from "../audit/caught-up-store.ts";
import { Journal, readJournal } from "../audit/journal.ts";
import { JournaledRecorder, recordLeftovers } from "../audit/journaled-recorder.ts";
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
  if (!isResident || durability !== "process") return { audit: recorder, store };
  const audit = new JournaledRecorder({ recorder, journal: new Journal(file), store, clock, log });
  return { audit, store: caughtUpStore(store, audit) };
}
