import { SwarmError } from "../../base/errors.ts";
import type {
  ApprovedFile,
  FileTrustChange,
  FileTrustStore,
} from "../../policy/trust/port/file-trust-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import { fileTrustStatements } from "../sql/trust.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteFileTrustStore implements FileTrustStore {
  readonly changes: ChangeWriters<FileTrustChange> = {
    file_approved: ({ row }) => this.#sql.approve.run(row),
    file_revoked: ({ sha256, path }) => {
      if (this.#sql.revoke.run({ sha256 }) === 0)
        throw new SwarmError("SWARM_FILE_NOT_APPROVED", { file: path });
    },
  };
  readonly #sql: Statements<typeof fileTrustStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(fileTrustStatements);
  }

  async list(): Promise<ApprovedFile[]> {
    return this.#sql.list.all<ApprovedFile>();
  }

  async find(sha256: string): Promise<ApprovedFile | null> {
    return this.#sql.find.one<ApprovedFile>({ sha256 });
  }
}
