import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Contestant } from "./contestants/contestant.ts";
import { type ToolCall, toolCall } from "./handlers.ts";

/**
 * How long a contestant runs before the next one has its turn: many times the clock's error, yet so short that a
 * busy machine, which halves its speed for some 50 ms at a time, mostly slows down a whole round alike.
 */
const sliceMs = 8;
/** Enough for V8's last compiler: 160 ms each, where all contestants had settled after half of it. */
const warmUpRounds = 20;
/** Calls made ahead of each timed stretch, so that making them is not timed: 22 kB, which stays in the L1 cache. */
const defaultBatchSize = 256;

/** What was measured of each contestant, one number per round: nanoseconds per call, unless said otherwise. */
export type Amounts = ReadonlyMap<string, readonly number[]>;

/** Times the contestants in turn, each once per round. A batch is the shortest turn there is. */
export async function measure(
  contestants: readonly Contestant[],
  rounds: number,
  batchSize: number = defaultBatchSize,
): Promise<Amounts> {
  const timings = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const batches = new Map(contestants.map(({ name }) => [name, 1]));
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const contestant of inTurn(contestants, round + warmUpRounds)) {
      // What the one before left behind is cleared away on nobody's time.
      globalThis.gc?.({ type: "minor" });
      await setImmediate();
      const count = batches.get(contestant.name) ?? 1;
      const ns = await timeSlice(contestant, count, batchSize);
      if (round >= 0) timings.get(contestant.name)?.push(ns);
      else batches.set(contestant.name, Math.max(1, Math.round((sliceMs * 1e6) / (ns * batchSize))));
    }
  }
  return timings;
}

/** In an order that rotates and turns round. */
export function inTurn(contestants: readonly Contestant[], round: number): readonly Contestant[] {
  const first = round % contestants.length;
  const rotated = [...contestants.slice(first), ...contestants.slice(0, first)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}

let callsMade = 0;

async function timeSlice(contestant: Contestant, batches: number, batchSize: number): Promise<number> {
  const calls: ToolCall[] = [];
  const makeCall = contestant.call ?? toolCall;
  let spentMs = 0;
  for (let batch = 0; batch < batches; batch++) {
    for (let index = 0; index < batchSize; index++) calls[index] = makeCall(callsMade++);
    spentMs += contestant.isSync ? timeSync(contestant, calls) : await timeAsync(contestant, calls);
  }
  return (spentMs * 1e6) / (batches * batchSize);
}

/** Where results go: reachable from outside, so that V8 cannot leave out the work that made them. */
export const kept: { result: unknown } = { result: null };

function timeSync(contestant: Contestant, calls: readonly ToolCall[]): number {
  const startedAtMs = performance.now();
  for (const call of calls) kept.result = contestant.run(call);
  return performance.now() - startedAtMs;
}

/** One call after another, as one agent makes them: what is compared is the time until the decision is there. */
async function timeAsync(contestant: Contestant, calls: readonly ToolCall[]): Promise<number> {
  const startedAtMs = performance.now();
  for (const call of calls) kept.result = await contestant.run(call);
  return performance.now() - startedAtMs;
}
