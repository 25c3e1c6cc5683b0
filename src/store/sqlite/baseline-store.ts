import type { Baseline, BaselineSet, BaselineStore } from "../../operations/drift/port/baseline-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteBaselineStore implements BaselineStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async list(): Promise<Baseline[]> {
    return this.#file.all<Baseline>("list-baselines");
  }

  async find(name: string): Promise<Baseline | null> {
    return this.#file.one<Baseline>("find-baseline", name) ?? null;
  }

  apply({ row }: BaselineSet): void {
    const { name, source, rows, features, data_digest, summary_digest, set_at, set_by } = row;
    this.#file.run("set-baseline", name, source, rows, features, data_digest, summary_digest, set_at, set_by);
  }
}
