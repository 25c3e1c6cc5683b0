import { SwarmError } from "../../base/errors.ts";
import type {
  ApprovedFile,
  FileTrustChange,
  FileTrustStore,
} from "../../policy/trust/port/file-trust-store.ts";
import type { Statements } from "../sql/statement.ts";
import { fileTrustStatements } from "../sql/trust.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteFileTrustStore implements FileTrustStore {
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

  /** Within the transaction of the row that tells of it. */
  apply(change: FileTrustChange): void {
    if (change.kind === "file_approved") {
      this.#sql.approve.run(change.row);
    } else if (this.#sql.revoke.run(change) === 0)
      throw new SwarmError("SWARM_FILE_NOT_APPROVED", { file: change.path });
  }
}
