import { SwarmError } from "../../base/errors.ts";
import type {
  ApprovedFile,
  FileTrustChange,
  FileTrustStore,
} from "../../policy/trust/port/file-trust-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteFileTrustStore implements FileTrustStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async list(): Promise<ApprovedFile[]> {
    return this.#file.all<ApprovedFile>("list-approved-files");
  }

  async find(sha256: string): Promise<ApprovedFile | null> {
    return this.#file.one<ApprovedFile>("find-approved-file", sha256);
  }

  /** Within the transaction of the row that tells of it. */
  apply(change: FileTrustChange): void {
    if (change.kind === "file_approved") {
      const { sha256, path, bytes, time, actor } = change.row;
      this.#file.run("approve-file", sha256, path, bytes, time, actor);
    } else if (this.#file.run("revoke-file", change.sha256) === 0)
      throw new SwarmError("SWARM_FILE_NOT_APPROVED", { file: change.path });
  }
}
