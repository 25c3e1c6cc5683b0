import type {
  IgnoredProject,
  TrustChange,
  TrustDecisions,
  TrustedHook,
  TrustStore,
} from "../../policy/trust/port/trust-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import { trustStatements } from "../sql/trust.ts";
import type { SqliteFile } from "./sqlite-file.ts";

type TrustedHookRow = Omit<TrustedHook, "files" | "is_guard"> & { files: string; is_guard: number };

export class SqliteTrustStore implements TrustStore {
  readonly changes: ChangeWriters<TrustChange> = {
    trust_approved: ({ file, hooks }) => {
      this.#forget(file);
      for (const hook of hooks) this.#sql.trustHook.run({ ...hook, file, files: JSON.stringify(hook.files) });
    },
    trust_ignored: ({ row }) => {
      this.#forget(row.file);
      this.#sql.ignoreProject.run(row);
    },
    trust_revoked: ({ file }) => this.#forget(file),
  };
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

  #forget(file: string): void {
    this.#sql.forgetHooks.run({ file });
    this.#sql.forgetIgnored.run({ file });
  }
}
