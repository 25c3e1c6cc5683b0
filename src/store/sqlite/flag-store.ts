import { SwarmError } from "../../base/errors.ts";
import type { FlagChange, FlagOverride, FlagStore } from "../../daemon/flags/port/flag-store.ts";
import { flagStatements } from "../sql/flags.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteFlagStore implements FlagStore {
  readonly #sql: Statements<typeof flagStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(flagStatements);
  }

  async list(): Promise<FlagOverride[]> {
    const rows = this.#sql.list.all<Omit<FlagOverride, "is_on"> & { is_on: number }>();
    return rows.map((row) => ({ ...row, is_on: row.is_on === 1 }));
  }

  apply(change: FlagChange): void {
    if (change.kind === "flag_set") {
      this.#sql.set.run(change.row);
    } else if (this.#sql.unset.run(change) === 0)
      throw new SwarmError("SWARM_FLAG_NOT_SET", { flag: change.name });
  }
}
