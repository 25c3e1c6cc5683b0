import { endianness } from "node:os";

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

/** Powers of two from which on each doubling has two to so many bins; distances below the first share one. */
const zones = [
  { exponent: -30, bits: 6, first: 1 },
  { exponent: -6, bits: 9, first: 1 + 24 * 64 },
  { exponent: 0, bits: 6, first: 1 + 24 * 64 + 6 * 512 },
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
  // The exponent and the first bits after it, as they are in memory: a tenth of the time that logarithms take.
  asDouble[0] = distance;
  const bits = (asBits[highHalf] as number) >>> 0;
  const exponent = (bits >>> 20) - 1023;
  const zone = exponent < zones[1].exponent ? zones[0] : exponent < zones[2].exponent ? zones[1] : zones[2];
  const within = (bits & 0xfffff) >>> (20 - zone.bits);
  return zone.first + (exponent - zone.exponent) * 2 ** zone.bits + within;
}

const asDouble = new Float64Array(1);
const asBits = new Uint32Array(asDouble.buffer);
const highHalf = endianness() === "LE" ? 1 : 0;

function middleOf(bin: number): number {
  if (bin < 0) return -distanceOf(-1 - bin);
  if (bin < upper / 2) return distanceOf(bin);
  if (bin <= upper) return 1 - distanceOf(upper - bin);
  return 1 + distanceOf(bin - upper - 1);
}

function distanceOf(steps: number): number {
  if (steps === 0) return 2 ** (zones[0].exponent - 1);
  const zone = zones.findLast(({ first }) => steps >= first) ?? zones[0];
  const [at, bins] = [steps - zone.first, 2 ** zone.bits];
  const exponent = zone.exponent + Math.floor(at / bins);
  return 2 ** exponent * (1 + ((at % bins) + 0.5) / bins);
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
    addCounts(bins, bins.length - pointWidth, points, place);
  }
  return { is_exact: false, points: bins };
}

function mergeSorted(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const merged = a.slice();
  const added: number[] = [];
  let i = 0;
  for (let j = 0; j < b.length; j += pointWidth) {
    const score = b[j] as number;
    while (i < a.length && (a[i] as number) < score) i += pointWidth;
    if (i < a.length && a[i] === score) addCounts(merged, i, b, j);
    else added.push(j);
  }
  return added.length === 0 ? merged : withPoints(merged, b, added);
}

/** Puts points at `places` of another list in between, from the last on, so that each is moved once. */
function withPoints(points: number[], from: readonly number[], places: readonly number[]): readonly number[] {
  let i = points.length - pointWidth;
  let to = points.length + places.length * pointWidth - pointWidth;
  // Room at the end, all at once.
  for (let more = 0; more < places.length * pointWidth; more++) points.push(0);
  for (let next = places.length - 1; next >= 0; to -= pointWidth) {
    const place = places[next] as number;
    if (i >= 0 && (points[i] as number) > (from[place] as number)) {
      copyPoint(points, to, points, i);
      i -= pointWidth;
    } else {
      copyPoint(points, to, from, place);
      next--;
    }
  }
  return points;
}

function copyPoint(to: number[], at: number, from: readonly number[], place: number): void {
  for (let offset = 0; offset < pointWidth; offset++) to[at + offset] = from[place + offset] as number;
}

/** Adds the counts of one point to another's. */
function addCounts(to: number[], at: number, from: readonly number[], place: number): void {
  for (let group = 1; group < pointWidth; group++) increase(to, at + group, from[place + group] as number);
}

function increase(counts: number[], place: number, by: number): void {
  counts[place] = (counts[place] as number) + by;
}
