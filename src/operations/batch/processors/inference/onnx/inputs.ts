import { show } from "../../../../../base/show.ts";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { fieldOf } from "../field.ts";
import type { ModelConfig } from "../model-config.ts";
import type { NumericData, OnnxValue, TensorData } from "./runtime.ts";

/** Why a record cannot be given to the model. */
export interface FeatureProblem {
  readonly class: "missing_feature" | "invalid_feature";
  readonly message: string;
}

/** One input of a model and the fields of a record it is filled from. */
export interface InputPlan {
  readonly name: string;
  readonly type: string;
  /** Dimensions of one record. */
  readonly rowShape: readonly number[];
  /** Null: any number of records at once. */
  readonly fixedRows: number | null;
  /** The fields in the order of its columns, where a number of JSON can be put in as it is; otherwise null. */
  readonly plainFields: readonly string[] | null;
  make(rows: number): TensorData;
  /** Puts a record's features at a row; null: all of them were there. */
  fill(data: TensorData, row: number, record: JsonObject): FeatureProblem | null;
}

/** What is wrong with a configuration for this very model. */
export class ModelMismatch extends Error {}

export function planInputs(inputs: readonly OnnxValue[], config: ModelConfig): InputPlan[] {
  const named = typeof config.features === "object" && !Array.isArray(config.features);
  const byInput = (named ? config.features : {}) as Readonly<Record<string, readonly string[] | string>>;
  for (const name of Object.keys(byInput))
    if (!inputs.some((input) => input.name === name))
      throw new ModelMismatch(
        `features: the model has no input ${show(name)}, but ${inputs.map((input) => show(input.name)).join(", ")}`,
      );
  return inputs.map((input) => planInput(input, sourceOf(input, inputs.length, byInput, config), config));
}

/** A list of fields, or one field that holds an array. */
type Source = readonly string[] | string;

function sourceOf(
  input: OnnxValue,
  inputCount: number,
  byInput: Readonly<Record<string, Source>>,
  { features, vector_field }: ModelConfig,
): Source {
  if (Object.hasOwn(byInput, input.name)) return byInput[input.name] as Source;
  if (inputCount === 1 && Array.isArray(features)) return features as string[];
  if (inputCount === 1 && vector_field !== undefined) return vector_field;
  // A model with an input for each feature names them itself.
  if (rowSizeOf(input) === 1) return [input.name];
  if (inputCount > 1) return input.name;
  throw new ModelMismatch(
    `features: the model takes ${rowSizeOf(input) ?? "any number of"} numbers as ${show(input.name)} and does not name them, expected their fields in order, or vector_field`,
  );
}

function planInput(input: OnnxValue, source: Source, config: ModelConfig): InputPlan {
  const { name, type, shape } = input;
  if (!input.isTensor) throw new ModelMismatch(`input ${show(name)} is no tensor, expected one`);
  const kind = kinds[type];
  if (kind === undefined)
    throw new ModelMismatch(
      `input ${show(name)} is of type ${type}, expected one of ${Object.keys(kinds).join(", ")}`,
    );
  const isNan = config.missing === "nan";
  if (isNan && !kind.hasNan)
    throw new ModelMismatch(
      `missing: input ${show(name)} is of type ${type}, which has no NaN, expected default`,
    );
  const width = Array.isArray(source) ? source.length : rowSizeOf(input);
  const size = rowSizeOf(input) ?? width;
  if (size === null)
    throw new ModelMismatch(
      `features: the model does not say how many numbers ${show(name)} has, expected a list`,
    );
  if (Array.isArray(source) && source.length !== size)
    throw new ModelMismatch(
      `features: ${source.length} are named for ${show(name)}, expected the ${size} the model takes`,
    );
  const rows = shape[0];
  const fixedRows = typeof rows === "number" && rows > 0 && shape.length > 0 ? rows : null;
  const rowShape = rowSizeOf(input) === null ? [size] : shape.slice(1).map(Number);
  const make = (count: number) => kind.make(count * size);
  const read = readerOf(kind, config);
  const fill =
    typeof source === "string" ? vectorFill(source, size, read) : listFill(source, kind.isPlain, read);
  const plainFields = kind.isPlain && typeof source !== "string" ? source : null;
  return { name, type, rowShape, fixedRows, plainFields, make, fill };
}

/** Of one record; null when the model leaves it open. */
function rowSizeOf({ shape }: OnnxValue): number | null {
  const sizes = shape.slice(1);
  if (!sizes.every((size) => typeof size === "number" && size > 0)) return null;
  return (sizes as number[]).reduce((product, size) => product * size, 1);
}

type Read = (feature: string, value: unknown, put: (converted: unknown) => void) => FeatureProblem | null;

function listFill(names: readonly string[], isPlain: boolean, read: Read): InputPlan["fill"] {
  return (data, row, record) => {
    const base = row * names.length;
    for (let column = 0; column < names.length; column++) {
      const name = names[column] as string;
      const value = record[name];
      // Nearly every feature of nearly every record: a number that is put where it belongs.
      if (isPlain && typeof value === "number") {
        (data as Float32Array)[base + column] = value;
        continue;
      }
      const problem = read(name, fieldOf(record, name), (converted) => {
        (data as unknown[])[base + column] = converted;
      });
      if (problem !== null) return problem;
    }
    return null;
  };
}

function vectorFill(field: string, size: number, read: Read): InputPlan["fill"] {
  return (data, row, record) => {
    const vector = fieldOf(record, field);
    if (!Array.isArray(vector)) {
      const isMissing = vector === undefined || vector === null;
      const message = `field ${show(field)} is ${isMissing ? "missing" : show(vector)}, expected an array of ${size}`;
      return { class: isMissing ? "missing_feature" : "invalid_feature", message };
    }
    // An image may come as rows of columns.
    const flat = vector.some(Array.isArray) ? (vector as unknown[]).flat(8) : vector;
    if (flat.length !== size) {
      const message = `field ${show(field)} has ${flat.length} values, expected ${size}`;
      return { class: "invalid_feature", message };
    }
    for (let column = 0; column < size; column++) {
      const problem = read(`${field}[${column}]`, flat[column], (converted) => {
        (data as unknown[])[row * size + column] = converted;
      });
      if (problem !== null) return problem;
    }
    return null;
  };
}

interface Kind {
  /** Whether a number of JSON can be put in as it is. */
  readonly isPlain: boolean;
  readonly hasNan: boolean;
  readonly expected: string;
  /** What stands for nothing. */
  readonly empty: unknown;
  make(length: number): TensorData;
  /** Undefined: it is none. */
  convert(value: unknown): unknown;
}

function readerOf(kind: Kind, { missing = "error", defaults = {}, categories = {} }: ModelConfig): Read {
  const places = new Map(
    Object.entries(categories).map(([feature, texts]) => [
      feature,
      new Map((texts as string[]).map((text, place) => [text, place])),
    ]),
  );
  const absent = (feature: string, put: (value: unknown) => void, why: string): FeatureProblem | null => {
    if (missing === "error") return { class: "missing_feature", message: `feature ${show(feature)} ${why}` };
    const given = Object.hasOwn(defaults, feature) ? kind.convert(defaults[feature]) : kind.empty;
    put(missing === "nan" ? Number.NaN : (given ?? kind.empty));
    return null;
  };
  return (feature, value, put) => {
    if (value === undefined || value === null) return absent(feature, put, "is missing");
    const known = places.get(feature);
    if (known !== undefined && typeof value === "string") {
      const place = known.get(value);
      if (place === undefined) return absent(feature, put, `is ${show(value)}, which is no known category`);
      put(kind.convert(place));
      return null;
    }
    const converted = kind.convert(value);
    if (converted === undefined) {
      const message = `feature ${show(feature)} is ${show(value)}, expected ${kind.expected}`;
      return { class: "invalid_feature", message };
    }
    put(converted);
    return null;
  };
}

const fraction = (make: (length: number) => NumericData): Kind => ({
  isPlain: true,
  hasNan: true,
  expected: "a number",
  empty: 0,
  make,
  convert: (value) =>
    typeof value === "number" ? value : typeof value === "boolean" ? Number(value) : undefined,
});

const whole = (make: (length: number) => NumericData, least: number, most: number): Kind => ({
  isPlain: false,
  hasNan: false,
  expected: `a whole number from ${least} to ${most}`,
  empty: 0,
  make,
  convert: (given) => {
    const value = typeof given === "boolean" ? Number(given) : given;
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? value : undefined;
  },
});

const big = (make: (length: number) => NumericData, least: number): Kind => {
  const kind = whole(make, least, Number.MAX_SAFE_INTEGER);
  const convert = (value: unknown) => {
    const number = kind.convert(value);
    return number === undefined ? undefined : BigInt(number as number);
  };
  return { ...kind, empty: 0n, convert };
};

const kinds: Readonly<Record<string, Kind>> = {
  float32: fraction((length) => new Float32Array(length)),
  float64: fraction((length) => new Float64Array(length)),
  int8: whole((length) => new Int8Array(length), -128, 127),
  uint8: whole((length) => new Uint8Array(length), 0, 255),
  int16: whole((length) => new Int16Array(length), -32_768, 32_767),
  uint16: whole((length) => new Uint16Array(length), 0, 65_535),
  int32: whole((length) => new Int32Array(length), -(2 ** 31), 2 ** 31 - 1),
  uint32: whole((length) => new Uint32Array(length), 0, 2 ** 32 - 1),
  int64: big((length) => new BigInt64Array(length), Number.MIN_SAFE_INTEGER),
  uint64: big((length) => new BigUint64Array(length), 0),
  bool: { ...whole((length) => new Uint8Array(length), 0, 1), expected: "true or false" },
  string: {
    isPlain: false,
    hasNan: false,
    expected: "a text",
    empty: "",
    make: (length) => new Array<string>(length).fill(""),
    convert: (value) => (["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined),
  },
};
