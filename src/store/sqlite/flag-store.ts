import { SwarmError } from "../../base/errors.ts";
import type { FlagChange, FlagOverride, FlagStore } from "../../daemon/flags/port/flag-store.ts";
import { flagStatements } from "../sql/flags.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteFlagStore implements FlagStore {
  readonly changes: ChangeWriters<FlagChange> = {
    flag_set: ({ row }) => this.#sql.set.run(row),
    flag_unset: ({ name }) => {
      if (this.#sql.unset.run({ name }) === 0) throw new SwarmError("SWARM_FLAG_NOT_SET", { flag: name });
    },
  };
  readonly #sql: Statements<typeof flagStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(flagStatements);
  }

  async list(): Promise<FlagOverride[]> {
    const rows = this.#sql.list.all<Omit<FlagOverride, "is_on"> & { is_on: number }>();
    return rows.map((row) => ({ ...row, is_on: row.is_on === 1 }));
  }
}
