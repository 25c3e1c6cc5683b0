import type {
  IgnoredProject,
  TrustChange,
  TrustDecisions,
  TrustedHook,
  TrustStore,
} from "../../policy/trust/port/trust-store.ts";
import type { Statements } from "../sql/statement.ts";
import { trustStatements } from "../sql/trust.ts";
import type { SqliteFile } from "./sqlite-file.ts";

type TrustedHookRow = Omit<TrustedHook, "files" | "is_guard"> & { files: string; is_guard: number };

export class SqliteTrustStore implements TrustStore {
  readonly #sql: Statements<typeof trustStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(trustStatements);
  }

  async list(): Promise<TrustDecisions> {
    const rows = this.#sql.listHooks.all<TrustedHookRow>();
    const trusted = rows.map((row) => ({
      ...row,
      is_guard: row.is_guard === 1,
      files: JSON.parse(row.files) as TrustedHook["files"],
    }));
    return { trusted, ignored: this.#sql.listIgnored.all<IgnoredProject>() };
  }

  /** Within the transaction of the row that tells of it. */
  apply(change: TrustChange): void {
    const file = change.kind === "trust_ignored" ? change.row.file : change.file;
    this.#sql.forgetHooks.run({ file });
    this.#sql.forgetIgnored.run({ file });
    if (change.kind === "trust_ignored") {
      this.#sql.ignoreProject.run(change.row);
    } else if (change.kind === "trust_approved") {
      for (const hook of change.hooks)
        this.#sql.trustHook.run({ ...hook, file, files: JSON.stringify(hook.files) });
    }
  }
}
