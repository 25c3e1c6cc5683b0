import type { JsonObject } from "../../../events/schema.ts";
import { onlyRows, type Scored } from "../metrics/scored.ts";
import type { ModelConfig } from "../model-config.ts";
import { type FeatureProblem, type InputPlan, planInputs } from "./inputs.ts";
import { type OutputPlan, planOutputs, rowText } from "./outputs.ts";
import type { OnnxRuntime, OnnxSession, OnnxTensor, OnnxValue, TensorData } from "./runtime.ts";
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
  | { readonly class: "thrown" | "invalid_output"; readonly message: string };

/** A model in memory, with what of a record goes into it and what comes out. */
export class OnnxModel {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #inputPlans: readonly InputPlan[];
  readonly #outputPlan: OutputPlan;
  readonly #score: Score;
  /** Of one call; a model with a fixed number of rows takes no other. */
  readonly #rowsPerCall: number;

  private constructor(runtime: OnnxRuntime, session: OnnxSession, config: ModelConfig) {
    this.#runtime = runtime;
    this.#session = session;
    this.inputs = session.inputMetadata;
    this.outputs = session.outputMetadata;
    this.#inputPlans = planInputs(this.inputs, config);
    this.#outputPlan = planOutputs(this.outputs, config);
    this.#score = scoreWith(this.#outputPlan, this.outputs, config);
    const fixed = this.#inputPlans.flatMap(({ fixedRows }) => fixedRows ?? []);
    this.#rowsPerCall = fixed.length === 0 ? maxRows : Math.min(...fixed);
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
    return this.#rowsPerCall === maxRows ? null : this.#rowsPerCall;
  }

  async predict(records: readonly JsonObject[]): Promise<Predictions> {
    const rows: (string | RecordFailure)[] = [];
    const scored: Scored[] = [];
    for (let from = 0; from < records.length; from += this.#rowsPerCall) {
      const part = await this.#predictSome(records.slice(from, from + this.#rowsPerCall));
      for (const row of part.rows) rows.push(row);
      scored.push(...part.scored);
    }
    return { rows, scored };
  }

  async #predictSome(records: readonly JsonObject[]): Promise<Predictions> {
    const data = this.#inputPlans.map((plan) => plan.make(this.fixedRows ?? records.length));
    const taken: JsonObject[] = [];
    const problems = records.map((record) => {
      const problem = this.#fill(data, taken.length, record);
      // The place of one that fails is given to the next.
      if (problem === null) taken.push(record);
      return problem;
    });
    if (taken.length === 0) return { rows: problems as FeatureProblem[], scored: [] };
    const { rows: outputs, scored } = await this.#answer(data, taken);
    let place = 0;
    return { rows: problems.map((problem) => problem ?? (outputs[place++] as string)), scored };
  }

  async #answer(data: readonly TensorData[], records: readonly JsonObject[]): Promise<Predictions> {
    try {
      const answers = await this.#run(data, records.length);
      const rows = this.#rowsOf(answers, records.length);
      const scored = this.#score(records, answers);
      if (scored === null) return { rows, scored: [] };
      const isWhole = rows.every((row) => typeof row === "string");
      return { rows, scored: [isWhole ? scored : onlyRows(scored, (row) => typeof rows[row] === "string")] };
    } catch (error) {
      const failure = { class: "thrown", message: (error as Error).message } as const;
      if (records.length === 1) return { rows: [failure], scored: [] };
      // A text the model has never seen fails all that came with it: found by halves, it fails alone.
      const middle = records.length >> 1;
      const first = await this.#predictSome(records.slice(0, middle));
      const second = await this.#predictSome(records.slice(middle));
      return { rows: [...first.rows, ...second.rows], scored: [...first.scored, ...second.scored] };
    }
  }

  #fill(data: readonly TensorData[], row: number, record: JsonObject): FeatureProblem | null {
    for (const [index, plan] of this.#inputPlans.entries()) {
      const problem = plan.fill(data[index] as TensorData, row, record);
      if (problem !== null) return problem;
    }
    return null;
  }

  async #run(data: readonly TensorData[], count: number): Promise<Readonly<Record<string, OnnxTensor>>> {
    const rows = this.fixedRows ?? count;
    const feeds = this.#inputPlans.map(({ name, type, rowShape }, index) => {
      const length = rowShape.reduce((product, size) => product * size, rows);
      const values = data[index] as Float32Array;
      const used = values.length === length ? values : values.slice(0, length);
      return [name, new this.#runtime.Tensor(type, used, [rows, ...rowShape])] as const;
    });
    const answers = await this.#session.run(Object.fromEntries(feeds), this.#outputPlan.fetched);
    const wrong = this.#outputPlan.fetched.find((name) => answers[name]?.dims[0] !== rows);
    if (wrong === undefined) return rows === count ? answers : firstRows(answers, count);
    throw new Error(`output ${wrong} has ${answers[wrong]?.dims[0] ?? "no"} rows for ${rows} records`);
  }

  #rowsOf(answers: Readonly<Record<string, OnnxTensor>>, count: number): (string | RecordFailure)[] {
    const kept = this.#outputPlan.kept.map((name) => ({
      key: JSON.stringify(name),
      name,
      tensor: answers[name] as OnnxTensor,
    }));
    return Array.from({ length: count }, (_, row) => {
      let text = "";
      for (const { key, name, tensor } of kept) {
        const value = rowText(tensor, row);
        if (value === null)
          return { class: "invalid_output", message: `output ${name} is no finite number` } as const;
        text += `${text === "" ? "{" : ","}${key}:${value}`;
      }
      return `${text}}`;
    });
  }
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
