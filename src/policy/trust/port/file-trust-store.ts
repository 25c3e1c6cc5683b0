/** A file that runs code when it is loaded, and that somebody approved: by its bytes, wherever they are. */
export interface ApprovedFile {
  readonly sha256: string;
  /** Where it was then. */
  readonly path: string;
  readonly bytes: number;
  readonly time: string;
  readonly actor: string;
}

export type FileTrustChange =
  /** Takes the place of an approval of the same bytes. */
  | { readonly kind: "file_approved"; readonly row: ApprovedFile }
  /** Throws SWARM_FILE_NOT_APPROVED when these bytes are not. */
  | { readonly kind: "file_revoked"; readonly sha256: string; readonly path: string };

export interface FileTrustStore {
  /** By path, the newest of each first. */
  list(): Promise<ApprovedFile[]>;
  find(sha256: string): Promise<ApprovedFile | null>;
}
