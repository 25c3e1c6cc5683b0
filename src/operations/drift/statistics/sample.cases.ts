import { QuantileSketch, type WeightedValues } from "./sketch.ts";

/** Seed, how many, where they lie, how wide, and the step they are rounded down to; 0: none. */
export type SampleSpec = readonly [seed: number, count: number, shift: number, scale: number, step: number];

/** The numbers fixtures/record-scipy.py makes, by the same arithmetic. */
export function sample([seed, count, shift, scale, step]: SampleSpec): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    let total = 0;
    for (let draw = 0; draw < 3; draw++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      total += state;
    }
    const value = shift + scale * (total / 4_294_967_296 - 1.5);
    return step > 0 ? Math.floor(value / step) * step : value;
  });
}

export function weighted(values: Iterable<number>): WeightedValues {
  return sketched(values).weighted();
}

export function sketched(values: Iterable<number>): QuantileSketch {
  const sketch = new QuantileSketch();
  for (const value of values) sketch.add(value);
  return sketch;
}
