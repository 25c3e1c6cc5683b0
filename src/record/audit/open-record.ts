import { join } from "node:path";
import { believedParts } from "./believed-store.ts";
import { caughtUpStore } from "./caught-up-store.ts";
import { GrantCheck } from "./grant-check.ts";
import { HeadMark, isBegunWith } from "./head-mark.ts";
import { Journal, readJournal } from "./journal.ts";
import { JournaledRecorder, recordLeftovers } from "./journaled-recorder.ts";
import { type Durability, Recorder } from "./recorder.ts";
import { keepRejected, moveRejected, rejectedEntry } from "./rejected-entries.ts";
import { signTail } from "./sign-tail.ts";
import type { SigningKey } from "./signing-key.ts";
import type { Fault } from "./verify.ts";
import { NotReadable } from "../../base/bounded-file.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Store } from "../../store/port/store.ts";

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
  readonly mark: HeadMark;
  /** Compares what the store grants with the record. */
  readonly grants: GrantCheck;
  /** Signs what a crash has left unsigned; a record that somebody else has changed is not, and its fault is returned. */
  signTail(): Promise<Fault | null>;
}

/** Where rows are written and read. A process that stays acknowledges decisions from a journal of its own. */
export async function openRecord(options: RecordOptions): Promise<OpenRecord> {
  const { home, store, key, clock, log, durability, isResident } = options;
  const mark = new HeadMark(join(home, "audit-head"), key, log);
  if (await isBegunWith(key, store)) mark.begin();
  const recorder = new Recorder({ ...options, mark });
  const file = join(home, "journal");
  await takeJournal(file, options, recorder);
  const grants = new GrantCheck({ store, key, fault: () => recorder.currentFault() });
  const parts = believedParts(store, grants, log);
  const common = { grants, mark, signTail: () => signTailOf(options, mark) };
  if (!isResident || durability !== "process") {
    const nothing = { catchUp: () => null, trim: () => Promise.resolve() };
    return { ...common, audit: recorder, store: caughtUpStore(store, nothing, parts) };
  }
  const audit = new JournaledRecorder({ recorder, journal: new Journal(file, key), store, clock, log });
  return { ...common, audit, store: caughtUpStore(store, audit, parts) };
}

async function signTailOf({ store, key, clock, log }: RecordOptions, mark: HeadMark): Promise<Fault | null> {
  const { fault } = await signTail(store, key, clock, mark);
  if (fault !== null) log.warn(`the record is not intact: ${fault.problem}`, { seq: fault.seq });
  return fault;
}

/** Records what a daemon had acknowledged before it ended, and says in the record what of its journal is not believed. */
async function takeJournal(
  file: string,
  { store, key, clock, log }: RecordOptions,
  recorder: Recorder,
): Promise<void> {
  try {
    const { entries, rejected } = readJournal(file, key, clock.now());
    const found = await recordLeftovers(entries, store, recorder);
    if (found > 0) log.warn(`recorded ${found} decisions that a daemon had left in its journal`, { file });
    // Not moved: the daemon may be there and write it.
    const kept = rejected === null ? null : keepRejected(file, rejected.text);
    if (rejected === null || kept === null) return;
    log.warn(`${rejected.lines} lines of the journal are set aside: ${rejected.problem}`, { file: kept });
    await recorder.record(rejectedEntry(rejected.lines, kept, rejected.problem));
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const kept = moveRejected(file);
    log.warn(`the journal is set aside: ${error.message}`, { file: kept });
    await recorder.record(rejectedEntry(1, kept, error.message));
  }
}
