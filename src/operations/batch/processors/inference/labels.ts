import { unknownLabel, unlabelled } from "./metrics/scored.ts";

/** The classes of a run, in the order metrics have them: of two, the positive one last. */
export class Labels {
  readonly classes: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  /** Whether the model has the two the other way round. */
  readonly isTurned: boolean;

  constructor(classes: readonly unknown[], positive: unknown) {
    const names = classes.map(String);
    this.isTurned = names.length === 2 && positive !== undefined && names[0] === String(positive);
    this.classes = this.isTurned ? names.toReversed() : names;
    this.#places = new Map(this.classes.map((name, place) => [name, place]));
  }

  placeOf(answer: unknown): number {
    return this.#places.get(String(answer)) ?? -1;
  }

  /** The place of a record's own class, given what its label field has, or why it has none. */
  labelOf(value: unknown): number {
    if (value === undefined || value === null || value === "") return unlabelled;
    // Whether it was written as true or as 1 is a matter of taste.
    const place =
      this.#places.get(String(value)) ??
      (typeof value === "boolean" ? this.#places.get(String(Number(value))) : undefined);
    return place ?? unknownLabel;
  }
}

/** NaN: what the record's label field has is no number. */
export function valueLabelOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}
