import { SwarmError } from "../../base/errors.ts";
import type { FlagChange, FlagOverride, FlagStore } from "../../daemon/flags/port/flag-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteFlagStore implements FlagStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async list(): Promise<FlagOverride[]> {
    const rows = this.#file.all<Omit<FlagOverride, "is_on"> & { is_on: number }>("list-flags");
    return rows.map((row) => ({ ...row, is_on: row.is_on === 1 }));
  }

  apply(change: FlagChange): void {
    if (change.kind === "flag_set") {
      const { name, is_on, time, actor } = change.row;
      this.#file.run("set-flag", name, Number(is_on), time, actor);
    } else if (this.#file.run("unset-flag", change.name) === 0)
      throw new SwarmError("SWARM_FLAG_NOT_SET", { flag: change.name });
  }
}
