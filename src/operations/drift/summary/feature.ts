import { cut } from "../../../base/show.ts";
import { QuantileSketch, type SketchState } from "../statistics/sketch.ts";

export const valueTypes = ["number", "string", "boolean", "array", "object"] as const;
export type ValueType = (typeof valueTypes)[number];

/** More are names or texts rather than categories, and are not compared. */
export const maxCategories = 1_000;
/** Longer texts are told apart by as much of them. */
const maxCategoryChars = 256;

/** What is known of one field of the records, as it is kept in a file. */
export interface FeatureState {
  readonly name: string;
  readonly types: Readonly<Record<ValueType, number>>;
  readonly sum: number;
  readonly sketch: SketchState;
  /** Null: there were too many. */
  readonly categories: readonly (readonly [category: string, count: number])[] | null;
}

/** One field of the records: its values' types, the distribution of its numbers and the counts of its categories. */
export class Feature {
  readonly name: string;
  readonly types: Record<ValueType, number> = { number: 0, string: 0, boolean: 0, array: 0, object: 0 };
  readonly sketch: QuantileSketch;
  readonly #isCategorical: boolean;
  #sum = 0;
  #categories: Map<string, number> | null = new Map();

  constructor(name: string, isCategorical: boolean, sketch: QuantileSketch = new QuantileSketch()) {
    this.name = name;
    this.#isCategorical = isCategorical;
    this.sketch = sketch;
  }

  static from({ name, types, sum, sketch, categories }: FeatureState): Feature {
    const feature = new Feature(name, false, QuantileSketch.from(sketch));
    Object.assign(feature.types, types);
    feature.#sum = sum;
    feature.#categories = categories === null ? null : new Map(categories);
    return feature;
  }

  get categories(): ReadonlyMap<string, number> | null {
    return this.#categories;
  }

  /** Records in which it has a value. */
  get present(): number {
    return valueTypes.reduce((sum, type) => sum + this.types[type], 0);
  }

  /** Of its numbers. */
  get mean(): number {
    return this.#sum / this.sketch.count;
  }

  /** The type most of its values have; null when it has none. */
  get type(): ValueType | null {
    const most = valueTypes.reduce((a, b) => (this.types[b] > this.types[a] ? b : a));
    return this.types[most] === 0 ? null : most;
  }

  /** A value that is not null; a number that JSON has and arithmetic has not, as 1e999, is none. */
  add(value: unknown): void {
    switch (typeof value) {
      case "number":
        if (Number.isFinite(value)) this.#addNumber(value);
        return;
      case "string":
      case "boolean":
        this.types[typeof value as ValueType]++;
        this.#count(String(value));
        return;
      default:
        this.types[Array.isArray(value) ? "array" : "object"]++;
    }
  }

  state(): FeatureState {
    const categories = this.#categories === null ? null : [...this.#categories];
    return { name: this.name, types: this.types, sum: this.#sum, sketch: this.sketch.state(), categories };
  }

  #addNumber(value: number): void {
    this.types.number++;
    if (this.#isCategorical) {
      this.#count(String(value));
      return;
    }
    this.#sum += value;
    this.sketch.add(value);
  }

  #count(text: string): void {
    const categories = this.#categories;
    if (categories === null) return;
    const category = cut(text, maxCategoryChars);
    const count = categories.get(category);
    if (count !== undefined) categories.set(category, count + 1);
    else if (categories.size === maxCategories) this.#categories = null;
    else categories.set(copied(category), 1);
  }
}

/** A piece of a text keeps the whole of it in memory, here a mebibyte of a file. */
function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
