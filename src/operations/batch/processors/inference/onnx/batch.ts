import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { fieldOf } from "../field.ts";
import type { FeatureProblem, InputPlan } from "./inputs.ts";
import type { TensorData } from "./runtime.ts";

/** Records on their way into a model: a row of each of its inputs, and the label that metrics compare with. */
export class Batch {
  count = 0;
  readonly data: readonly TensorData[];
  /** What the label field of each record has. */
  labels: unknown[] = [];
  readonly #plans: readonly InputPlan[];
  readonly #labelField: string | undefined;
  /** Of each input, where its columns are among the numbers of a line. */
  readonly #columns: readonly Int32Array[];

  /** `numbers`: the fields whose values `addNumbers` is given. */
  constructor(
    plans: readonly InputPlan[],
    rows: number,
    labelField: string | undefined,
    numbers: readonly string[] = [],
  ) {
    this.#plans = plans;
    this.#labelField = labelField;
    this.data = plans.map((plan) => plan.make(rows));
    this.#columns = plans.map(({ plainFields }) =>
      Int32Array.from(plainFields ?? [], (name) => numbers.indexOf(name)),
    );
  }

  /** Null: all its features were there. The place of one that has a problem is given to the next. */
  add(record: JsonObject): FeatureProblem | null {
    for (const [index, plan] of this.#plans.entries()) {
      const problem = plan.fill(this.data[index] as TensorData, this.count, record);
      if (problem !== null) return problem;
    }
    this.labels.push(this.#labelField === undefined ? undefined : fieldOf(record, this.#labelField));
    this.count++;
    return null;
  }

  addNumbers(values: Float64Array, label: unknown): void {
    for (let input = 0; input < this.#columns.length; input++) {
      const columns = this.#columns[input] as Int32Array;
      const data = this.data[input] as Float32Array;
      const first = this.count * columns.length;
      for (let column = 0; column < columns.length; column++)
        data[first + column] = values[columns[column] as number] as number;
    }
    this.labels.push(label);
    this.count++;
  }

  /** It begins anew; its memory stays. */
  clear(): void {
    this.count = 0;
    this.labels = [];
  }
}
