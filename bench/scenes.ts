import { batches, growBatches, missingPeer, timeBatches, timeResumes } from "./batches.ts";
import { auditPdf, measurePdfs, pdfName, pdfSizes } from "./contestants/audit-pdf.ts";
import { bareAsync, bareIdle, bareSync } from "./contestants/bare.ts";
import { nativeCalls, parseAndJournal } from "./contestants/calls.ts";
import type { Contestant } from "./contestants/contestant.ts";
import { tick, tickName, ticks, ticksName } from "./contestants/cron.ts";
import { bareFetch, barePool, deliveriesPerCall, durableDeliveries } from "./contestants/deliveries.ts";
import {
  bareParse,
  longName,
  longSummary,
  readlineParse,
  summary,
  valuesPerCall,
} from "./contestants/drift.ts";
import { emittery } from "./contestants/emittery.ts";
import { hookable } from "./contestants/hookable.ts";
import { naive } from "./contestants/naive.ts";
import { ours, oursAwaited, oursIdle } from "./contestants/ours.ts";
import { fiveAlone, fiveAmong, manyNames, steadyName } from "./contestants/ours-at-scale.ts";
import {
  atOnce,
  bareProgram,
  counting,
  countingLine,
  hookProgram,
  printing900KiB,
} from "./contestants/programs.ts";
import { bareInsert, journaled, record } from "./contestants/records.ts";
import { bareRequest, httpHook } from "./contestants/requests.ts";
import { tapableAsync, tapableAwaited, tapableSync } from "./contestants/tapable.ts";
import { inferenceScenes } from "./inferences.ts";
import { baseline, baselineName, launched, measureLaunches } from "./launches.ts";
import { loaded, measureLoads } from "./loads.ts";
import type { Amounts } from "./measure.ts";
import {
  decisions,
  few,
  limits,
  listNames,
  many,
  measureRecord,
  slowestName,
  startName,
  verifyName,
} from "./record/measure-record.ts";
import { verifyFive, verifyIdle } from "./verify.ts";

/** What is compared in one process. A suite has several where one measurement's type feedback would spoil another's. */
export interface Scene {
  readonly suite: string;
  readonly contestants: () => readonly Contestant[];
  readonly verify: (contestant: Contestant) => Promise<void>;
  readonly countsBytes?: true;
  /** How many calls are made ahead and timed as one; few where a call takes milliseconds. */
  readonly batchSize?: number;
  /** How many events one call of a contestant stands for; their number a second is then told. */
  readonly eventsPerCall?: number;
  /** What is compared is how much memory a run takes at most. */
  readonly isMemory?: true;
  /** Rounds in each process at most, where one takes many seconds. */
  readonly maxRounds?: number;
  /** One process measures all rounds: what is measured takes minutes to be made. */
  readonly isMadeOnce?: true;
  /** Contestants are programs of their own, and so is what times them. */
  readonly measuredBy?: (rounds: number) => Promise<Amounts>;
  /** Our contestant, the one it is compared with, and the most that ours / theirs should be; null: for comparison. */
  readonly rows: readonly (readonly [name: string, against: string, target: number | null])[];
}

/** No peer looks at payloads, so the row that compares with them does not either; the default does. */
const trusted = "five handlers, payload trusted";
const awaited = "five handlers, payload trusted, awaited";
const checked = "five handlers, payload checked (default)";
const traced = (kind: string) => `five ${kind} handlers, traced`;
const tapable = "tapable AsyncSeriesWaterfallHook";

export const scenes: readonly Scene[] = [
  {
    suite: "sync",
    contestants: () => [
      ours(trusted, "sync", { validate: false }),
      ours(checked, "sync", {}),
      oursAwaited(awaited, { validate: false }),
      bareSync(),
      tapableSync(),
      tapableAwaited(),
      hookable("sync"),
      emittery("sync"),
      naive("sync"),
    ],
    verify: verifyFive,
    rows: [
      [trusted, "bare loop", 1.25],
      // Ours returns a value when no handler waits; tapable's hook for handlers that may wait always makes a promise.
      [trusted, `${tapable}, awaited`, 0.75],
      // With a callback it makes none, and its generated code beats any loop: shown for that, with a target of our own.
      [trusted, tapable, 2],
      [trusted, "hookable callHook", 0.15],
      [trusted, "emittery emitSerial", 0.15],
      [trusted, "naive filter, sort, race", 0.05],
      [awaited, `${tapable}, awaited`, 1.75],
      [checked, "bare loop", 3],
      [checked, `${tapable}, awaited`, 1.75],
    ],
  },
  {
    suite: "async",
    contestants: () => [
      ours(trusted, "async", { validate: false }),
      ours(checked, "async", {}),
      bareAsync(),
      tapableAsync(),
      hookable("async"),
      emittery("async"),
      naive("async"),
    ],
    verify: verifyFive,
    rows: [
      [trusted, "bare await loop", 1.25],
      // As fast as the bare loop, or half as fast: less than these is no loop over a list.
      [trusted, tapable, null],
      [trusted, "hookable callHook", 0.35],
      [trusted, "emittery emitSerial", null],
      [trusted, "naive filter, sort, race", 0.125],
      [checked, "bare await loop", 1.8],
      [checked, tapable, 1.8],
    ],
  },
  {
    suite: "trace",
    contestants: () => [ours(traced("sync"), "sync", { trace: true, validate: false }), bareSync()],
    verify: verifyFive,
    rows: [[traced("sync"), "bare loop", 4]],
  },
  {
    suite: "trace",
    contestants: () => [ours(traced("async"), "async", { trace: true, validate: false }), bareAsync()],
    verify: verifyFive,
    rows: [[traced("async"), "bare await loop", 2.5]],
  },
  {
    suite: "idle",
    contestants: () => [
      oursIdle("no handler registered", {}),
      oursIdle("hooksEnabled: false", { hooksEnabled: false }),
      bareIdle(),
    ],
    verify: verifyIdle,
    countsBytes: true,
    rows: [
      ["no handler registered", "empty loop", 6],
      ["hooksEnabled: false", "empty loop", 6],
    ],
  },
  {
    suite: "scale",
    contestants: () => [fiveAmong(10_000), fiveAlone()],
    verify: verifyFive,
    rows: [["10,000 hooks for other tools", "the five hooks alone", 1.3]],
  },
  {
    suite: "scale",
    contestants: () => [manyNames(600), steadyName()],
    verify: verifyFive,
    rows: [["600 tool names in turn", "one tool name", 3]],
  },
  {
    suite: "command",
    contestants: () => [
      hookProgram("command hook, arguments", counting),
      bareProgram("bare spawn", counting),
      hookProgram("command hook, shell line", countingLine),
      bareProgram("bare spawn of sh -c", countingLine),
    ],
    verify: verifyIdle,
    batchSize: 4,
    rows: [
      ["command hook, arguments", "bare spawn", 1.2],
      ["command hook, shell line", "bare spawn of sh -c", 1.2],
    ],
  },
  {
    suite: "command",
    contestants: () => [
      atOnce(32, hookProgram("command hook", counting)),
      atOnce(32, bareProgram("bare spawn", counting)),
    ],
    verify: verifyIdle,
    batchSize: 1,
    rows: [["command hook, 32 at once", "bare spawn, 32 at once", 1.2]],
  },
  {
    suite: "command",
    contestants: () => [
      atOnce(32, hookProgram("command hook, 900 KiB each", printing900KiB)),
      atOnce(32, bareProgram("bare spawn, 900 KiB each", printing900KiB)),
    ],
    verify: verifyIdle,
    isMemory: true,
    rows: [["command hook, 900 KiB each, 32 at once", "bare spawn, 900 KiB each, 32 at once", 1.2]],
  },
  {
    suite: "http",
    contestants: () => [
      httpHook("http hook", false),
      httpHook("http hook, signed", true),
      bareRequest("bare keep-alive undici request"),
    ],
    verify: verifyIdle,
    batchSize: 16,
    rows: [
      ["http hook", "bare keep-alive undici request", 1.5],
      ["http hook, signed", "bare keep-alive undici request", 1.5],
    ],
  },
  {
    suite: "webhooks",
    contestants: () => [
      durableDeliveries("2,000 durable deliveries", "a backlog"),
      durableDeliveries("2,000 durable deliveries, sent as they come", "as they come"),
      barePool("bare signed undici Pool of 50"),
      bareFetch("signed global fetch, 50 at once"),
    ],
    verify: verifyIdle,
    batchSize: 1,
    eventsPerCall: deliveriesPerCall,
    // As deliveries a second: at least 0.8 of the pool's, at least three times those of fetch.
    rows: [
      ["2,000 durable deliveries", "bare signed undici Pool of 50", 1 / 0.8],
      ["2,000 durable deliveries", "signed global fetch, 50 at once", 1 / 3],
      ["2,000 durable deliveries, sent as they come", "bare signed undici Pool of 50", 1 / 0.8],
    ],
  },
  {
    suite: "store",
    contestants: () => [
      journaled("one decision acknowledged"),
      record("one decision recorded", "process"),
      bareInsert("one bare insert, committed", 1),
    ],
    verify: verifyIdle,
    batchSize: 64,
    // What an answer waits for. The rest follows it in a thread: redacting, four hashes, three tables and five indexes.
    rows: [
      ["one decision acknowledged", "one bare insert, committed", 1.5],
      ["one decision recorded", "one bare insert, committed", null],
    ],
  },
  {
    suite: "store",
    contestants: () => [
      atOnce(256, record("decisions recorded", "process")),
      bareInsert("256 bare inserts, committed once", 256),
    ],
    verify: verifyIdle,
    batchSize: 4,
    eventsPerCall: 256,
    rows: [["decisions recorded, 256 at once", "256 bare inserts, committed once", null]],
  },
  {
    suite: "store",
    contestants: () => [
      atOnce(256, record("decisions recorded, fsynced first", "power_loss")),
      bareInsert("256 bare inserts, committed once", 256),
    ],
    verify: verifyIdle,
    batchSize: 4,
    eventsPerCall: 256,
    rows: [["decisions recorded, fsynced first, 256 at once", "256 bare inserts, committed once", null]],
  },
  ...(["none", "one"] as const).map(
    (due): Scene => ({
      suite: "cron",
      contestants: () => [tick(100_000, due), tick(1_000, due)],
      verify: verifyIdle,
      batchSize: 8,
      // No worse than a tree of a hundred times as many leaves: log 100,000 / log 1,000.
      rows: [[tickName(100_000, due), tickName(1_000, due), 1.67]],
    }),
  ),
  {
    suite: "record",
    contestants: () => recordNames.map(programOf),
    verify: async () => undefined,
    measuredBy: measureRecord,
    isMadeOnce: true,
    rows: [
      [startName(many), limits.start, 1],
      [slowestName, limits.list, 1],
      [verifyName(many), limits.verify, 1],
      [decisions.verify, decisions.alone, 3],
      [decisions.lists, decisions.alone, 3],
      // Ten times the rows: no more than the logarithm grows.
      ...[startName, verifyName, ...listNames].map((name) => [name(many), name(few), 1.67] as const),
    ],
  },
  {
    suite: "cron",
    contestants: () => [ticks(100_000), ticks(1_000)],
    verify: async () => undefined,
    isMemory: true,
    rows: [[ticksName(100_000), ticksName(1_000), 1.67]],
  },
  ...batchScenes(),
  ...inferenceScenes(programOf),
  {
    suite: "pdf",
    contestants: () => pdfSizes.map((rows) => programOf(pdfName(rows))),
    verify: async () => undefined,
    measuredBy: measurePdfs,
    eventsPerCall: pdfSizes[0],
    // Ten times the rows, and what every document begins with only once.
    rows: [[pdfName(pdfSizes[0]), pdfName(pdfSizes[1]), 12]],
  },
  {
    suite: "pdf",
    contestants: () => pdfSizes.map(auditPdf),
    verify: async () => undefined,
    isMemory: true,
    rows: [[pdfName(pdfSizes[0]), pdfName(pdfSizes[1]), 2]],
  },
  {
    suite: "drift",
    contestants: () => [
      summary("values of JSONL summarised", "jsonl"),
      bareParse("bare parse loop", "jsonl"),
      readlineParse("readline and JSON.parse"),
      summary("values of CSV summarised", "csv"),
      bareParse("bare split loop", "csv"),
    ],
    verify: verifyIdle,
    batchSize: 1,
    eventsPerCall: valuesPerCall,
    rows: [
      ["values of JSONL summarised", "bare parse loop", 3],
      ["values of JSONL summarised", "readline and JSON.parse", 2],
      ["values of CSV summarised", "bare split loop", 5],
    ],
  },
  {
    suite: "drift",
    contestants: () => [longSummary(10_000_000), longSummary(1_000_000)],
    verify: async () => undefined,
    isMemory: true,
    maxRounds: 1,
    // What is kept stays at 17 MiB; the rest of a peak is what V8 has not collected yet.
    rows: [[longName(10_000_000), longName(1_000_000), 2]],
  },
  {
    suite: "call",
    contestants: () => [
      nativeCalls("a call, starter policy", "policy: { use: starter }"),
      nativeCalls("a call, no hook and no rule", ""),
      parseAndJournal("the call parsed and journaled"),
    ],
    verify: verifyIdle,
    batchSize: 32,
    rows: [
      ["a call, starter policy", "the call parsed and journaled", null],
      ["a call, no hook and no rule", "the call parsed and journaled", null],
      ["a call, starter policy", "a call, no hook and no rule", null],
    ],
  },
  {
    suite: "client",
    contestants: () =>
      [...Object.values(launched), ...(baseline === null ? [] : [baselineName])].map(programOf),
    verify: async () => undefined,
    measuredBy: measureLaunches,
    rows: [
      [launched.policy, launched.empty, 1.3],
      [launched.guard, launched.empty, 1.3],
      // Not ours: what a Node server costs beside a start alone, and one that records a call before it answers.
      [launched.empty, launched.noop, null],
      [launched.journal, launched.empty, null],
      [launched.policy, launched.node, 1 / 25],
      [launched.noDaemon, launched.bareNode, 6],
      ...(baseline === null ? [] : ([[launched.policy, baselineName, 1.1]] as const)),
    ],
  },
  {
    suite: "client",
    contestants: () => Object.values(loaded).map(programOf),
    verify: async () => undefined,
    measuredBy: measureLoads,
    rows: [[loaded.socket, loaded.http, 1 / 1.5]],
  },
];

/** As records a second the first scene's targets are 0.7 of the two-thread copy's, 3, 2.5 and 3 times the others'. */
function batchScenes(): Scene[] {
  const scene = (
    rows: Scene["rows"],
    measuredBy: NonNullable<Scene["measuredBy"]>,
    isMemory?: true,
  ): Scene => ({
    suite: "batch",
    contestants: () => [...new Set(rows.flatMap(([name, against]) => [name, against]))].map(programOf),
    verify: async () => undefined,
    measuredBy,
    ...(isMemory && { isMemory }),
    rows,
  });
  const { echo, twoThreads, readline, pool, jq } = batches;
  const peers = (
    [
      [echo, twoThreads, 1 / 0.7],
      [echo, readline, 1 / 3],
      [echo, pool, 1 / 2.5],
      [echo, jq, 1 / 3],
    ] as const
  ).filter(([, against]) => missingPeer(against) === null);
  const { echo20k, ancestor, twoWorkers, oneWorker, echo10M, echo100k, memory10M, memory100k } = batches;
  const { resume90, resume10 } = batches;
  const sizes = [10_000_000, 100_000] as const;
  return [
    scene(peers, timeBatches([echo, ...peers.map(([, against]) => against)], 1_000_000)),
    ...(missingPeer(ancestor) === null
      ? [scene([[echo20k, ancestor, 1 / 200]], timeBatches([echo20k, ancestor], 20_000, { startOff: true }))]
      : []),
    scene([[twoWorkers, oneWorker, 1 / 1.4]], timeBatches([twoWorkers, oneWorker], 50_000)),
    scene([[resume90, resume10, 1.2]], timeResumes({ [resume90]: 0.9, [resume10]: 0.1 }, 1_000_000)),
    scene([[echo10M, echo100k, 1.2]], growBatches({ [echo10M]: sizes[0], [echo100k]: sizes[1] }, "ns")),
    scene(
      [[memory10M, memory100k, 1.2]],
      growBatches({ [memory10M]: sizes[0], [memory100k]: sizes[1] }, "mib"),
      true,
    ),
  ];
}

const recordNames: readonly string[] = [
  ...[startName, verifyName, ...listNames].flatMap((name) => [name(many), name(few)]),
  ...[...Object.values(limits), slowestName, ...Object.values(decisions)],
];

/** Its name is all that is needed of it here. */
function programOf(name: string): Contestant {
  return { name, isSync: false, run: () => undefined, read: () => null };
}

export const suiteNames: readonly string[] = [...new Set(scenes.map((scene) => scene.suite))];
