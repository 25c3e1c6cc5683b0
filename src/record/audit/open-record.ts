import { join } from "node:path";
import { NotReadable } from "../../base/bounded-file.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { openJournal, openStore } from "../../store/open-store.ts";
import type { Journal } from "../../store/port/journal.ts";
import type { Store } from "../../store/port/store.ts";
import { LongReads } from "./thread/long-reads.ts";
import { RecordThread } from "./thread/record-thread.ts";
import { believedParts } from "./believed-store.ts";
import { caughtUpStore } from "./caught-up-store.ts";
import { GrantCheck } from "./grant-check.ts";
import { HeadMark, isBegunWith } from "./head-mark.ts";

import { JournaledRecorder, recordLeftovers } from "./journaled-recorder.ts";
import { type Durability, Recorder } from "./recorder.ts";
import { rejectedEntry } from "./rejected-entries.ts";
import type { RowWriter } from "./row-writer.ts";
import { readJournal, SealedJournal } from "./sealed-journal.ts";
import { signTail } from "./sign-tail.ts";
import type { SigningKey } from "./signing-key.ts";
import type { Fault } from "./verify.ts";
import { type VerifyRecord, verifyStored } from "./verify-stored.ts";

interface RecordOptions {
  readonly home: string;
  /** Of the store. */
  readonly url: string;
  readonly key: SigningKey;
  readonly clock: Clock;
  readonly log: Log;
  readonly durability: Durability;
  /** Of its kind the only process on this home, as the daemon is. */
  readonly isResident: boolean;
  /** Whether the store is written in a thread of its own. It takes 50 ms to start, which only a process that stays earns back. */
  readonly isThreaded: boolean;
}

export interface OpenRecord {
  readonly audit: RowWriter | JournaledRecorder;
  readonly store: Store;
  readonly mark: HeadMark;
  /** Compares what the store grants with the record. */
  readonly grants: GrantCheck;
  /** Signs what a crash has left unsigned; a record that somebody else has changed is not, and its fault is returned. */
  signTail(): Promise<Fault | null>;
  readonly verify: VerifyRecord;
  /** What reads the whole record, to be ended before the store is closed. */
  readonly reads: LongReads;
}

/** Where rows are written and read. A process that stays acknowledges decisions from a journal of its own. */
export async function openRecord(options: RecordOptions): Promise<OpenRecord> {
  const { home, key, log } = options;
  const mark = new HeadMark(join(home, "audit-head"), key, log);
  const { store, recorder } = options.isThreaded ? await inThread(options) : await here(options, mark);
  try {
    return await openOn(store, recorder, mark, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Writing {
  readonly store: Store;
  readonly recorder: RowWriter;
}

async function here(options: RecordOptions, mark: HeadMark): Promise<Writing> {
  const store = await openStore(options.url);
  return { store, recorder: new Recorder({ ...options, store, mark }) };
}

async function inThread({ home, url, durability, clock, log }: RecordOptions): Promise<Writing> {
  return RecordThread.start({ home, url, durability }, clock, log);
}

async function openOn(
  store: Store,
  recorder: RowWriter,
  mark: HeadMark,
  options: RecordOptions,
): Promise<OpenRecord> {
  const { home, key, clock, log, durability, isResident, isThreaded } = options;
  if (await isBegunWith(key, store)) mark.begin();
  const journal = openJournal(store.url);
  await takeJournal(journal, { store, key, clock, log }, recorder);
  const grants = new GrantCheck({ store, key, fault: () => recorder.currentFault() });
  const parts = believedParts(store, grants, log);
  const isJournaled = isResident && durability === "process";
  const journaled = isJournaled
    ? new JournaledRecorder({ recorder, journal: new SealedJournal(journal, key), store, clock, log })
    : null;
  const caughtUp = caughtUpStore(store, journaled ?? nothingAhead, parts);
  const reads = new LongReads({ home, url: store.url }, log);
  const verify: VerifyRecord = async (anchors = [], signal = null) => {
    if (!isThreaded) return verifyStored({ store: caughtUp, key, grants, headMark: mark }, anchors);
    await caughtUp.head(); // what was acknowledged is there for the thread to read
    return reads.verify(anchors, signal);
  };
  const signTail = () => signTailOf({ store, key, clock, log }, mark);
  return { audit: journaled ?? recorder, store: caughtUp, mark, grants, signTail, verify, reads };
}

/** Where there is no journal the store has everything. */
const nothingAhead = { catchUp: () => null, trim: () => Promise.resolve() };

type Place = Pick<RecordOptions, "key" | "clock" | "log"> & { readonly store: Store };

async function signTailOf({ store, key, clock, log }: Place, mark: HeadMark): Promise<Fault | null> {
  const { fault } = await signTail(store, key, clock, mark);
  if (fault !== null) log.warn(`the record is not intact: ${fault.problem}`, { seq: fault.seq });
  return fault;
}

/** Records what a daemon had acknowledged before it ended, and says in the record what of its journal is not believed. */
async function takeJournal(
  journal: Journal,
  { store, key, clock, log }: Place,
  recorder: RowWriter,
): Promise<void> {
  try {
    const { entries, rejected } = readJournal(journal, key, clock.now());
    const found = await recordLeftovers(entries, store, recorder);
    if (found > 0)
      log.warn(`recorded ${found} decisions that a daemon had left in its journal`, {
        file: journal.location,
      });
    // Not moved: the daemon may be there and write it.
    const kept = rejected === null ? null : journal.keepRejected(rejected.text);
    if (rejected === null || kept === null) return;
    log.warn(`${rejected.lines} lines of the journal are set aside: ${rejected.problem}`, { file: kept });
    await recorder.record(rejectedEntry(rejected.lines, kept, rejected.problem));
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const kept = journal.moveRejected();
    log.warn(`the journal is set aside: ${error.message}`, { file: kept });
    await recorder.record(rejectedEntry(1, kept, error.message));
  }
}
