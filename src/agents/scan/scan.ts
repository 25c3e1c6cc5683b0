import { NotReadable } from "../../base/bounded-file.ts";
import type { Policy } from "../../policy/rules/policy.ts";
import { changeOf } from "./compare.ts";
import { type FoundTranscripts, findTranscripts } from "./find-transcripts.ts";
import { Replay, type ScanAdapters } from "./replay.ts";
import type { ScanReport } from "./report.ts";
import { Seen } from "./seen.ts";
import { type Period, summaryOf } from "./summary.ts";
import { Tally } from "./tally.ts";
import type { AgentPlace, Reading, RecordedCall, TranscriptFile } from "./transcripts/reader.ts";
import type { ScannedAgent } from "../port/agents.ts";
import { transcriptReaders } from "./transcripts/readers.ts";

/** A policy with what people know it by. */
export interface NamedPolicy {
  readonly name: string;
  /** Null: it has no rules. */
  readonly policy: Policy | null;
}

export interface ScanOptions {
  readonly agents: readonly ScannedAgent[];
  /** Where each agent keeps its files. */
  placeOf(agent: ScannedAgent): AgentPlace;
  /** The user's home folder without links, as the policies were compiled for. */
  readonly home: string;
  readonly adapters: ScanAdapters;
  readonly policy: NamedPolicy;
  /** What is in force, to compare the policy with; null: it is not compared. */
  readonly inForce: NamedPolicy | null;
  readonly period: Period;
  readonly nowMs: number;
  onProgress?(progress: Progress): void;
}

export interface Progress {
  readonly readBytes: number;
  readonly totalBytes: number;
}

/** Reads the transcripts on this machine and judges every tool call in them again. Nothing is run, sent or changed. */
export function scan(options: ScanOptions): ScanReport {
  const found = options.agents.map((agent) =>
    findTranscripts(agent, transcriptReaders[agent], options.placeOf(agent)),
  );
  const work = new Scan(options, found);
  for (const file of work.files) work.read(file);
  return work.report();
}

/** As many as are named; the rest are counted. */
const maxUnreadFiles = 100;

class Scan {
  /** Those that may hold something of the period; the newest first, so that what is listed of very many is the newest. */
  readonly files: readonly TranscriptFile[];
  readonly #options: ScanOptions;
  readonly #found: Pick<ScanReport, "looked_in" | "older_files">;
  readonly #replay: Replay;
  readonly #tally = new Tally();
  readonly #calls = new Seen();
  readonly #reading: Reading;
  readonly #unread: { long_lines: number; broken_lines: number; unjudged_calls: number; not_files: number };
  readonly #unreadFiles: { file: string; problem: string }[];

  constructor(options: ScanOptions, found: readonly FoundTranscripts[]) {
    const { home, adapters, period } = options;
    const isConcerned = ({ modifiedMs }: TranscriptFile) =>
      period.sinceMs === null || modifiedMs >= period.sinceMs;
    const all = found.flatMap(({ files }) => files);
    this.files = all.filter(isConcerned).toSorted((a, b) => b.modifiedMs - a.modifiedMs);
    this.#found = {
      looked_in: found.flatMap(({ folders }) => folders),
      older_files: all.length - this.files.length,
    };
    this.#options = options;
    this.#replay = new Replay(home, adapters);
    const notFiles = found.reduce((sum, { notFiles: count }) => sum + count, 0);
    const unread = { long_lines: 0, broken_lines: 0, unjudged_calls: 0, not_files: notFiles };
    this.#unread = unread;
    this.#unreadFiles = found.flatMap(({ unread: folders }) => folders);
    const totalBytes = this.files.reduce((sum, { size }) => sum + size, 0);
    let readBytes = 0;
    this.#reading = {
      onRead(bytes) {
        readBytes += bytes;
        options.onProgress?.({ readBytes, totalBytes });
      },
      onBroken() {
        unread.broken_lines += 1;
      },
      onTooLong() {
        unread.long_lines += 1;
      },
    };
  }

  read(file: TranscriptFile): void {
    const reader = transcriptReaders[file.agent];
    this.#tally.addFile(file);
    try {
      const callsIn = reader.open(file);
      for (const record of reader.records(file, this.#reading)) {
        for (const call of callsIn(record)) this.#judge(file, call);
      }
    } catch (error) {
      // Gone, not ours to read, a database that is none: one file is not worth all others.
      if (!isFileProblem(error)) throw error;
      this.#unreadFiles.push({ file: file.path, problem: error.message });
    }
  }

  #judge(file: TranscriptFile, call: RecordedCall): void {
    const { period, policy, inForce } = this.#options;
    const { agent, modifiedMs } = file;
    const timeMs = call.timeMs ?? modifiedMs;
    if (period.sinceMs !== null && timeMs < period.sinceMs) return;
    const replayed = this.#replay.call(agent, transcriptReaders[agent], call, timeMs);
    if (replayed === null) {
      this.#unread.unjudged_calls += 1;
      return;
    }
    // A session that was resumed or forked has its past in a second file.
    const what = call.id === null ? call.input : null;
    if (!this.#calls.isNew(agent, call.id, timeMs, call.tool, what)) return;
    this.#tally.addCall(agent, call.session);
    const { action, place } = replayed;
    const said = policy.policy?.judge(action, place) ?? null;
    const before = inForce === null ? undefined : (inForce.policy?.judge(action, place) ?? null);
    const change =
      before === undefined ? null : changeOf(before?.behaviour ?? "none", said?.behaviour ?? "none");
    this.#tally.addFinding({ file, call, timeMs, replayed, said, before, change });
  }

  report(): ScanReport {
    const { policy, inForce, period, nowMs } = this.#options;
    const tallied = this.#tally.result();
    const names = { policy: policy.name, compared_with: inForce?.name ?? null };
    return {
      version: 1,
      summary: summaryOf(period, names, tallied),
      since: period.sinceMs === null ? null : new Date(period.sinceMs).toISOString(),
      until: new Date(nowMs).toISOString(),
      ...names,
      ...this.#found,
      ...tallied,
      unread: {
        ...this.#unread,
        files: this.#unreadFiles.slice(0, maxUnreadFiles),
        files_not_listed: Math.max(0, this.#unreadFiles.length - maxUnreadFiles),
      },
    };
  }
}

/** What the system or SQLite says of a file, as opposed to a mistake of ours. */
function isFileProblem(error: unknown): error is Error {
  if (error instanceof NotReadable) return true;
  return (
    error instanceof Error && ("syscall" in error || ("code" in error && error.code === "ERR_SQLITE_ERROR"))
  );
}
