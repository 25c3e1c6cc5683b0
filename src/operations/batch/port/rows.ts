import { errorRow, hashIdText, resultRow } from "./batch-rows.ts";
import type { ChunkEnd } from "./processor.ts";
import type { InputRecord } from "./records.ts";

/** Collects what became of records, in their order. */
export class Rows {
  #results: string[] = [];
  #errors: string[] = [];
  #ids: string[] = [];
  #latenciesMs: number[] = [];
  #errorClasses: Record<string, number> = {};
  /** Of the rows so far: near enough to bytes to know when it is time to hand them on. */
  chars = 0;

  get count(): number {
    return this.#ids.length;
  }

  /** `output`: its JSON, on one line. */
  done({ idText }: Pick<InputRecord, "idText">, output: string, latencyMs: number): void {
    this.#results.push(this.#counted(idText, resultRow(idText, output)));
    this.#latenciesMs.push(latencyMs);
  }

  /** `latencyMs`: null for one that no processor has seen. */
  failed(
    { idText, line }: Pick<InputRecord, "idText" | "line">,
    errorClass: string,
    message: string,
    latencyMs: number | null = null,
  ): void {
    this.#errors.push(this.#counted(idText, errorRow(idText, line, errorClass, message)));
    this.#errorClasses[errorClass] = (this.#errorClasses[errorClass] ?? 0) + 1;
    if (latencyMs !== null) this.#latenciesMs.push(latencyMs);
  }

  /** What was collected; it begins anew. */
  take(): ChunkEnd {
    const { ids, ...end } = this.takeWithIds();
    return { ...end, idHashes: hashesOf(ids) };
  }

  /** The same, for somebody who hashes the ids later. */
  takeWithIds(): Omit<ChunkEnd, "idHashes"> & { readonly ids: readonly string[] } {
    const end = {
      results: Buffer.from(this.#results.join("")),
      errors: Buffer.from(this.#errors.join("")),
      doneCount: this.#results.length,
      failedCount: this.#errors.length,
      errorClasses: this.#errorClasses,
      ids: this.#ids,
      latenciesMs: Float64Array.from(this.#latenciesMs),
    };
    this.#results = [];
    this.#errors = [];
    this.#ids = [];
    this.#latenciesMs = [];
    this.#errorClasses = {};
    this.chars = 0;
    return end;
  }

  #counted(idText: string, row: string): string {
    this.#ids.push(idText);
    this.chars += row.length;
    return row;
  }
}

/** One pair for each id, given as JSON texts. */
export function hashesOf(ids: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(2 * ids.length);
  for (const [at, idText] of ids.entries()) hashIdText(idText, hashes, 2 * at);
  return hashes;
}
