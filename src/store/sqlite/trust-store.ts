import type {
  IgnoredProject,
  TrustChange,
  TrustDecisions,
  TrustedHook,
  TrustStore,
} from "../../policy/trust/port/trust-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

type TrustedHookRow = Omit<TrustedHook, "files" | "is_guard"> & { files: string; is_guard: number };

export class SqliteTrustStore implements TrustStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async list(): Promise<TrustDecisions> {
    const rows = this.#file.all<TrustedHookRow>("list-trusted-hooks");
    const trusted = rows.map((row) => ({
      ...row,
      is_guard: row.is_guard === 1,
      files: JSON.parse(row.files) as TrustedHook["files"],
    }));
    return { trusted, ignored: this.#file.all<IgnoredProject>("list-ignored-projects") };
  }

  /** Within the transaction of the row that tells of it. */
  apply(change: TrustChange): void {
    const file = change.kind === "trust_ignored" ? change.row.file : change.file;
    this.#file.run("forget-trusted-hooks", file);
    this.#file.run("forget-ignored-project", file);
    if (change.kind === "trust_ignored") {
      this.#file.run("ignore-project", file, change.row.time, change.row.actor);
    } else if (change.kind === "trust_approved") {
      for (const { hook_id, name, is_guard, digest, definition, files, time, actor } of change.hooks) {
        const texts = [file, hook_id, name, digest, definition, JSON.stringify(files), time, actor];
        this.#file.run("trust-hook", ...texts, is_guard ? 1 : 0);
      }
    }
  }
}
