/** Of the memory that is free, models may take this much. */
const share = 0.8;

/** How many workers there may be when the first takes so much: it is there already, the others have to fit beside it. */
export function workersThatFit(rssBytes: number, availableBytes: number): number {
  if (!(rssBytes > 0)) return Number.POSITIVE_INFINITY;
  return 1 + Math.floor((availableBytes * share) / rssBytes);
}
