import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { onlyRows, type Scored } from "../metrics/scored.ts";
import type { ModelConfig } from "../model-config.ts";
import { Batch } from "./batch.ts";
import { type FeatureProblem, type InputPlan, planInputs } from "./inputs.ts";
import { type OutputPlan, type OutputProblem, outputRows, planOutputs } from "./outputs.ts";
import type { NumericData, OnnxRuntime, OnnxSession, OnnxTensor, OnnxValue, TensorData } from "./runtime.ts";
import { type Score, scoreWith } from "./scores.ts";

/** What became of records given to a model together. */
export interface Predictions {
  /** For each record the JSON of its output, or why it has none. */
  readonly rows: readonly (string | RecordFailure)[];
  /** Of those that have an output. */
  readonly scored: readonly Scored[];
}

export type RecordFailure =
  | FeatureProblem
  | OutputProblem
  | { readonly class: "thrown"; readonly message: string };

/** A model in memory, with what of a record goes into it and what comes out. */
export class OnnxModel {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #inputPlans: readonly InputPlan[];
  readonly #outputPlan: OutputPlan;
  readonly #score: Score;
  readonly #labelField: string | undefined;
  /** Of one call; a model with a fixed number of rows takes no other. */
  readonly rowsPerCall: number;

  private constructor(runtime: OnnxRuntime, session: OnnxSession, config: ModelConfig) {
    this.#runtime = runtime;
    this.#session = session;
    this.inputs = session.inputMetadata;
    this.outputs = session.outputMetadata;
    this.#inputPlans = planInputs(this.inputs, config);
    this.#outputPlan = planOutputs(this.outputs, config);
    this.#score = scoreWith(this.#outputPlan, this.outputs, config);
    this.#labelField = config.label_field;
    const fixed = this.#inputPlans.flatMap(({ fixedRows }) => fixedRows ?? []);
    this.rowsPerCall = fixed.length === 0 ? maxRows : Math.min(...fixed);
  }

  static async load(runtime: OnnxRuntime, bytes: Uint8Array, config: ModelConfig): Promise<OnnxModel> {
    const session = await runtime.InferenceSession.create(bytes, {
      intraOpNumThreads: config.threads ?? 1,
      interOpNumThreads: 1,
      executionMode: "sequential",
      // Nothing on standard error: what goes wrong is thrown.
      logSeverityLevel: 4,
    });
    return new OnnxModel(runtime, session, config);
  }

  /** Whether it can only be called with so many records at once; null: with any number. */
  get fixedRows(): number | null {
    return this.rowsPerCall === maxRows ? null : this.rowsPerCall;
  }

  /** Fields that can be given to it as numbers, without a look at the rest of a record; null: a record is needed. */
  get numberFields(): readonly string[] | null {
    const fields = this.#inputPlans.map(({ plainFields }) => plainFields);
    return fields.includes(null) ? null : [...new Set(fields.flatMap((some) => some ?? []))];
  }

  /** Whether its numbers are all floats of four bytes. */
  get isSingle(): boolean {
    return this.#inputPlans.every(({ type }) => type === "float32");
  }

  /** Room for as many records as are given to it at once. */
  batch(maxCount = this.rowsPerCall): Batch {
    const rows = this.fixedRows ?? Math.min(maxCount, this.rowsPerCall);
    return new Batch(this.#inputPlans, rows, this.#labelField, this.numberFields ?? []);
  }

  async predict(records: readonly JsonObject[]): Promise<Predictions> {
    const rows: (string | RecordFailure)[] = [];
    const scored: Scored[] = [];
    for (let from = 0; from < records.length; from += this.rowsPerCall) {
      const some = records.slice(from, from + this.rowsPerCall);
      const batch = this.batch(some.length);
      const problems = some.map((record) => batch.add(record));
      const answered = await this.answer(batch);
      let place = 0;
      for (const problem of problems) rows.push(problem ?? (answered.rows[place++] as string));
      scored.push(...answered.scored);
    }
    return { rows, scored };
  }

  /** The answers to what a batch holds, or to some of its rows. */
  async answer(batch: Batch, from = 0, to = batch.count): Promise<Predictions> {
    if (from === to) return { rows: [], scored: [] };
    try {
      const answers = await this.#run(batch, from, to);
      const rows = outputRows(this.#outputPlan.kept, answers, to - from);
      const isWhole = from === 0 && to === batch.labels.length;
      const scored = this.#score(isWhole ? batch.labels : batch.labels.slice(from, to), answers);
      if (scored === null) return { rows, scored: [] };
      const isGood = rows.every((row) => typeof row === "string");
      return { rows, scored: [isGood ? scored : onlyRows(scored, (row) => typeof rows[row] === "string")] };
    } catch (error) {
      const failure = { class: "thrown", message: (error as Error).message } as const;
      if (to - from === 1) return { rows: [failure], scored: [] };
      // A text the model has never seen fails all that came with it: found by halves, it fails alone.
      const middle = (from + to) >> 1;
      const first = await this.answer(batch, from, middle);
      const second = await this.answer(batch, middle, to);
      return { rows: [...first.rows, ...second.rows], scored: [...first.scored, ...second.scored] };
    }
  }

  async #run(batch: Batch, from: number, to: number): Promise<Readonly<Record<string, OnnxTensor>>> {
    const rows = this.fixedRows ?? to - from;
    const feeds = this.#inputPlans.map((plan, index) => {
      const size = plan.rowShape.reduce((product, one) => product * one, 1);
      const filler = rows === to - from ? null : plan.make(rows);
      const data = rowsOf(batch.data[index] as TensorData, from * size, to * size, filler);
      return [plan.name, new this.#runtime.Tensor(plan.type, data, [rows, ...plan.rowShape])] as const;
    });
    const answers = await this.#session.run(Object.fromEntries(feeds), this.#outputPlan.fetched);
    const wrong = this.#outputPlan.fetched.find((name) => answers[name]?.dims[0] !== rows);
    if (wrong === undefined) return rows === to - from ? answers : firstRows(answers, to - from);
    throw new Error(`output ${wrong} has ${answers[wrong]?.dims[0] ?? "no"} rows for ${rows} records`);
  }
}

/** Some rows of an input; a model that takes a fixed number of them gets empty ones for the rest, which cannot fail. */
function rowsOf(data: TensorData, from: number, to: number, whole: TensorData | null): TensorData {
  if (whole === null)
    return Array.isArray(data) ? data.slice(from, to) : (data as NumericData).subarray(from, to);
  for (let place = from; place < to; place++) (whole as unknown[])[place - from] = data[place];
  return whole;
}

/** The rest are answers to nobody: the rows that fill up a call of a fixed size. */
function firstRows(answers: Readonly<Record<string, OnnxTensor>>, count: number): Record<string, OnnxTensor> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, { type, data, dims }]) => {
      const [rows = 1, ...rest] = dims;
      const first = data.slice(0, (data.length / rows) * count) as TensorData;
      return [name, { type, data: first, dims: [count, ...rest] }];
    }),
  );
}

/** Of one call. Forests and perceptrons are as fast with 256 as with more; the tensors stay small. */
const maxRows = 4096;
