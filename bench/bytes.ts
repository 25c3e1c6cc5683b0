import type { Contestant } from "./contestants/contestant.ts";
import { toolCall } from "./handlers.ts";
import { kept } from "./measure.ts";
import { median } from "./statistics.ts";

/** So few that a stretch fits into what V8 has free after a collection: one inside it would hide what was made. */
const callsPerStretch = 2_000;
const stretches = 15;

/**
 * Heap bytes one call takes: how much the used heap has grown over 2,000 calls without a collection, the median of
 * 15 stretches. All calls get the same payload, so it counts what the contestant makes and not what its caller does.
 */
export function bytesPerCall(contestant: Contestant): number {
  const call = toolCall(0);
  const grown = Array.from({ length: stretches }, () => {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < callsPerStretch; index++) kept.result = contestant.run(call);
    return process.memoryUsage().heapUsed - before;
  });
  // What looking itself takes, a few hundred bytes, is less than one byte per call.
  return Math.round(median(grown) / callsPerStretch);
}
