import type { Measured } from "./processes.ts";
import type { Scene } from "./scenes.ts";
import { median, quantile } from "./statistics.ts";

/** One comparison, in the form `--json` prints. */
export interface Row {
  readonly suite: string;
  readonly name: string;
  /** Our time, or memory, over theirs. */
  readonly ratio: number;
  readonly against: string;
  readonly better: "lower";
  /** Null: the row is shown for comparison. */
  readonly target: number | null;
  readonly samples: number;
  /** The middle half of the rounds' ratios lies between these. */
  readonly spread: readonly [number, number];
  /** Nanoseconds per call, medians; or the mebibytes a run takes at most. */
  readonly ns?: number;
  readonly against_ns?: number;
  readonly mib?: number;
  readonly against_mib?: number;
  /** Events a second, and how long one of 100 calls took at least: where a call is many events. */
  readonly per_second?: number;
  readonly p99_ns?: number;
  readonly bytes_per_op?: number;
  readonly against_bytes_per_op?: number;
}

/**
 * The rows of a scene. The ratio is the median of the rounds' ratios and not the ratio of two medians: the two times
 * of a round were taken within milliseconds of each other, so what else the machine does cancels out.
 */
export function compare(scene: Scene, measured: readonly Measured[]): Row[] {
  const pool = (name: string, of: "amounts" | "bytes") =>
    measured.filter(({ contestant }) => contestant === name).flatMap((part) => part[of]);
  return scene.rows.map(([name, against, target]) => {
    const amounts = pool(name, "amounts");
    const againstAmounts = pool(against, "amounts");
    if (amounts.length === 0 || againstAmounts.length !== amounts.length) {
      throw new Error(`"${name}" or "${against}" is no contestant of its scene in suite ${scene.suite}`);
    }
    const ratios = amounts.map((amount, round) => amount / (againstAmounts[round] ?? Number.NaN));
    const [ours, theirs] = [rounded(median(amounts)), rounded(median(againstAmounts))];
    const bytes = { bytes_per_op: pool(name, "bytes"), against_bytes_per_op: pool(against, "bytes") };
    return {
      suite: scene.suite,
      name,
      ratio: rounded(median(ratios)),
      against,
      better: "lower",
      target,
      samples: ratios.length,
      spread: [rounded(quantile(ratios, 0.25)), rounded(quantile(ratios, 0.75))],
      ...(scene.isMemory ? { mib: ours, against_mib: theirs } : { ns: ours, against_ns: theirs }),
      ...(scene.eventsPerCall !== undefined && {
        per_second: Math.round((scene.eventsPerCall * 1e9) / median(amounts)),
        p99_ns: rounded(quantile(amounts, 0.99)),
      }),
      ...Object.fromEntries(
        Object.entries(bytes).flatMap(([key, counts]) => (counts.length > 0 ? [[key, median(counts)]] : [])),
      ),
    };
  });
}

/** Three digits: more would be noise. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
