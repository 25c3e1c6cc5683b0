import { Feature, type FeatureState } from "./feature.ts";
import { fieldAt, timeOf, usualTimeField } from "./time.ts";

/** Which records and fields count. */
export interface DatasetOptions {
  /** Only these, and what is below them; empty: all. */
  readonly features: readonly string[];
  readonly ignore: readonly string[];
  /** Numbers that are names. */
  readonly categorical: readonly string[];
  /** The field with a record's time; null: with a period, the first of the usual names that is there. */
  readonly timestampField: string | null;
  /** Only records from `fromMs` up to and with `untilMs`; null: whatever their time. */
  readonly period: { readonly fromMs: number; readonly untilMs: number } | null;
}

/** A record of a thousand fields is a table of its own; more than this are counted and told. */
export const maxFeatures = 256;
/** Places in the records, those between included. */
const maxNodes = 1_024;
/** Nested deeper than this, an object is a value like any other. */
const maxDepth = 8;

export interface DatasetState {
  readonly rows: number;
  readonly outside: number;
  readonly undated: number;
  readonly omitted: number;
  readonly features: readonly FeatureState[];
}

/** A place in the records; what leads to it is looked up key by key, without making its path for each record. */
interface Node {
  readonly path: string;
  readonly isIgnored: boolean;
  readonly children: Map<string, Node>;
  /** Undefined until there is a value; null: it does not count. */
  feature: Feature | null | undefined;
}

/** What is known of records, field by field, in memory that does not grow with their number. */
export class Dataset {
  readonly features = new Map<string, Feature>();
  readonly #options: DatasetOptions;
  readonly #root: Node = { path: "", isIgnored: false, children: new Map(), feature: null };
  #nodes = 0;
  #timestampField: string | null;
  rows = 0;
  /** Records that do not count: not of the period, or without a time that can be read. */
  outside = 0;
  undated = 0;
  /** Fields over the most that are looked at, and how often values stood in them. */
  omitted = 0;

  constructor(options: DatasetOptions) {
    this.#options = options;
    this.#timestampField = options.timestampField;
  }

  static from({ features, ...counts }: DatasetState, options: DatasetOptions): Dataset {
    const dataset = Object.assign(new Dataset(options), counts);
    for (const state of features) dataset.features.set(state.name, Feature.from(state));
    return dataset;
  }

  /** As it was given or found. */
  get timestampField(): string | null {
    return this.#timestampField;
  }

  add(record: object): void {
    const { period } = this.#options;
    if (period !== null) {
      this.#timestampField ??= usualTimeField(record);
      const timeMs = this.#timestampField === null ? null : timeOf(fieldAt(record, this.#timestampField));
      if (timeMs === null) {
        this.undated++;
        return;
      }
      if (timeMs < period.fromMs || timeMs > period.untilMs) {
        this.outside++;
        return;
      }
    }
    this.rows++;
    this.#addFields(record, this.#root, 1);
  }

  state(): DatasetState {
    const { rows, outside, undated, omitted, features } = this;
    return {
      rows,
      outside,
      undated,
      omitted,
      features: [...features.values()].map((feature) => feature.state()),
    };
  }

  #addFields(record: object, parent: Node, depth: number): void {
    for (const [key, value] of Object.entries(record)) {
      const node = parent.children.get(key) ?? this.#newNode(key, parent);
      if (node === null) this.omitted++;
      if (node === null || node.isIgnored) continue;
      if (typeof value === "object" && value !== null && !Array.isArray(value) && depth < maxDepth)
        this.#addFields(value, node, depth + 1);
      else this.#addValue(node, value);
    }
  }

  #addValue(node: Node, value: unknown): void {
    if (node.feature === undefined) node.feature = this.#newFeature(node.path);
    if (node.feature === null || value === null) return;
    node.feature.add(value);
  }

  /** Null: there are too many, as where keys are ids. */
  #newNode(key: string, parent: Node): Node | null {
    if (this.#nodes === maxNodes) return null;
    this.#nodes++;
    const path = parent.path === "" ? key : `${parent.path}.${key}`;
    const isIgnored = path === this.#timestampField || this.#options.ignore.includes(path);
    const node: Node = { path, isIgnored, children: new Map(), feature: undefined };
    parent.children.set(key, node);
    return node;
  }

  #newFeature(path: string): Feature | null {
    const { features, categorical } = this.#options;
    // A table has a column `customer.age` where JSON has an object: one field, however it is written.
    const known = this.features.get(path);
    if (known !== undefined) return known;
    if (features.length > 0 && !features.some((wanted) => isAtOrBelow(path, wanted))) return null;
    if (this.features.size === maxFeatures) {
      this.omitted++;
      return null;
    }
    const feature = new Feature(path, categorical.includes(path));
    this.features.set(path, feature);
    return feature;
  }
}

/** Whether a dotted path is this one or leads on from it. */
export function isAtOrBelow(path: string, wanted: string): boolean {
  return path === wanted || path.startsWith(`${wanted}.`);
}
