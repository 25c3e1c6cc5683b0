/**
 * How often each score was given, and to whom: the one thing curves are made of, in bounded space.
 *
 * Up to `maxPoints` different scores are kept as they are, and everything made of them is exact: a forest of 100 trees
 * gives at most a few hundred, whatever the number of records. Beyond, scores are put into bins that are narrow where scores
 * of a rare class crowd, near 0 and near 1. `curves.ts` tells by how much the bins can be wrong.
 *
 * Whether they are exact depends only on how many different scores there are in all, and a bin only on its score: the
 * sum is the same in whatever order chunks are merged.
 */
export interface ScorePoints {
  readonly is_exact: boolean;
  /** Ascending, four numbers each: the score (or its bin), and how many records without a label, negative, positive. */
  readonly points: readonly number[];
}

export const pointWidth = 4;
export const noPoints: ScorePoints = { is_exact: true, points: [] };

/** To whom a score was given; the place of its count in a point. */
export const groups = { unlabelled: 1, negative: 2, positive: 3 } as const;
export type Group = (typeof groups)[keyof typeof groups];

export function pointsOf(
  scores: Float64Array,
  groupOf: (index: number) => Group,
  maxPoints: number,
): ScorePoints {
  const sizes = [0, 0, 0, 0];
  for (let index = 0; index < scores.length; index++) increase(sizes, groupOf(index), 1);
  const parts = sizes.map((size) => new Float64Array(size));
  for (let index = scores.length - 1; index >= 0; index--) {
    const group = groupOf(index);
    increase(sizes, group, -1);
    (parts[group] as Float64Array)[sizes[group] as number] = scores[index] as number;
  }
  // Numbers alone are sorted natively, four times as fast as with a function that compares.
  const points = Object.values(groups)
    .map((group) => countedPoints((parts[group] as Float64Array).sort(), group))
    .filter((some) => some.length > 0)
    .reduce(mergeSorted, []);
  return bounded({ is_exact: true, points }, maxPoints);
}

function countedPoints(sorted: Float64Array, group: Group): number[] {
  const points: number[] = [];
  for (const given of sorted) {
    const score = given + 0; // -0 becomes 0
    if (points.length === 0 || points[points.length - pointWidth] !== score) points.push(score, 0, 0, 0);
    increase(points, points.length - pointWidth + group, 1);
  }
  return points;
}

export function mergePoints(a: ScorePoints, b: ScorePoints, maxPoints: number): ScorePoints {
  if (a.is_exact && b.is_exact)
    return bounded({ is_exact: true, points: mergeSorted(a.points, b.points) }, maxPoints);
  return { is_exact: false, points: mergeSorted(binned(a).points, binned(b).points) };
}

/** Scores as they are, or the middles of their bins. */
export function scoreAt({ is_exact, points }: ScorePoints, place: number): number {
  const key = points[place] as number;
  return is_exact ? key : middleOf(key);
}

/**
 * The bin of a score. The bins are in the order of the scores: below 0, from 0 up to a half, from a half up to 1, above
 * 1. In each of the four a bin's width is a part of its distance to 0, or to 1: a 512th from a 64th on, a 64th where that
 * is less or more. Scores from 0 to 1 have at most 8,194 bins.
 */
export function binOf(score: number): number {
  if (score < 0) return -1 - step(-score);
  if (score < 0.5) return step(score);
  if (score <= 1) return upper - step(1 - score);
  return upper + 1 + step(score - 1);
}

/** Powers of two from which on each doubling has so many bins; distances below the first share one. */
const zones = [
  { exponent: -30, bins: 64, first: 1 },
  { exponent: -6, bins: 512, first: 1 + 24 * 64 },
  { exponent: 0, bins: 64, first: 1 + 24 * 64 + 6 * 512 },
] as const;
const maxExponent = 30;
/** Of all distances from 2³⁰ on. */
const lastStep = 1 + (24 + 30) * 64 + 6 * 512;
/** The bin of 1 itself. Bins of the half that goes up to it count downwards from there. */
const upper = 2 * lastStep + 2;

/** 0 for 0 and all that is next to it; between two powers of two all have the same width. */
function step(distance: number): number {
  if (distance < 2 ** zones[0].exponent) return 0;
  if (distance >= 2 ** maxExponent) return lastStep;
  let exponent = Math.floor(Math.log2(distance));
  // The logarithm of a number just below a power of two may be rounded up to it.
  if (2 ** exponent > distance) exponent--;
  const zone = exponent < zones[1].exponent ? zones[0] : exponent < zones[2].exponent ? zones[1] : zones[2];
  const within = Math.floor((distance / 2 ** exponent - 1) * zone.bins);
  return zone.first + (exponent - zone.exponent) * zone.bins + within;
}

function middleOf(bin: number): number {
  if (bin < 0) return -distanceOf(-1 - bin);
  if (bin < upper / 2) return distanceOf(bin);
  if (bin <= upper) return 1 - distanceOf(upper - bin);
  return 1 + distanceOf(bin - upper - 1);
}

function distanceOf(steps: number): number {
  if (steps === 0) return 2 ** (zones[0].exponent - 1);
  const zone = zones.findLast(({ first }) => steps >= first) ?? zones[0];
  const at = steps - zone.first;
  const exponent = zone.exponent + Math.floor(at / zone.bins);
  return 2 ** exponent * (1 + ((at % zone.bins) + 0.5) / zone.bins);
}

function bounded(exact: ScorePoints, maxPoints: number): ScorePoints {
  return exact.points.length / pointWidth > maxPoints ? binned(exact) : exact;
}

function binned({ is_exact, points }: ScorePoints): ScorePoints {
  if (!is_exact) return { is_exact, points };
  const bins: number[] = [];
  for (let place = 0; place < points.length; place += pointWidth) {
    const bin = binOf(points[place] as number);
    if (bins.length === 0 || bins[bins.length - pointWidth] !== bin) bins.push(bin, 0, 0, 0);
    addCounts(bins, points, place);
  }
  return { is_exact: false, points: bins };
}

function mergeSorted(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const merged: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] as number, b[j] as number];
    merged.push(Math.min(left, right), 0, 0, 0);
    if (left <= right) {
      addCounts(merged, a, i);
      i += pointWidth;
    }
    if (right <= left) {
      addCounts(merged, b, j);
      j += pointWidth;
    }
  }
  for (; i < a.length; i++) merged.push(a[i] as number);
  for (; j < b.length; j++) merged.push(b[j] as number);
  return merged;
}

/** Adds the counts of one point to the last of another list. */
function addCounts(to: number[], from: readonly number[], place: number): void {
  const last = to.length - pointWidth;
  for (let group = 1; group < pointWidth; group++) increase(to, last + group, from[place + group] as number);
}

function increase(counts: number[], place: number, by: number): void {
  counts[place] = (counts[place] as number) + by;
}
