import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { ApprovedFile, FileTrustChange, FileTrustStore } from "./port/file-trust-store.ts";
import type { TrustedCopy } from "../../operations/batch/port/processor.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import { digestFile, type FileDigest, forgetFile, keepFile, keptFilePath } from "./kept-file.ts";

export interface FileTrustOptions {
  readonly home: string;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly store: FileTrustStore;
}

/** A file as it is now, and what was decided about it. */
export interface ShownFile extends FileDigest {
  readonly path: string;
  readonly state: "trusted" | "changed" | "untrusted";
  /** Of these bytes; of others that were there, when it has changed. */
  readonly approved: ApprovedFile | null;
}

/** Where it is decided which files may be loaded although that runs code, and looked up. Each decision is a row of the record. */
export class FileTrust {
  readonly #options: FileTrustOptions;

  constructor(options: FileTrustOptions) {
    this.#options = options;
  }

  list(): Promise<ApprovedFile[]> {
    return this.#options.store.list();
  }

  async show(path: string): Promise<ShownFile> {
    const digest = await digestFile(path);
    const approved = await this.#options.store.find(digest.sha256);
    if (approved !== null) return { path, ...digest, state: "trusted", approved };
    const before = (await this.list()).find((row) => row.path === path) ?? null;
    return { path, ...digest, state: before === null ? "untrusted" : "changed", approved: before };
  }

  /** Approves what was shown under this digest: if it is not what is there now, nothing is. What is loaded is a copy of it. */
  async approve(path: string, sha256: string, actor: string): Promise<ShownFile> {
    const { home, clock } = this.#options;
    const kept = await keepFile(home, path);
    if (kept.sha256 !== sha256) {
      if ((await this.#options.store.find(kept.sha256)) === null) await forgetFile(home, kept.sha256);
      throw new SwarmError("SWARM_TRUST_STALE", { file: path, given: sha256, digest: kept.sha256 });
    }
    const time = new Date(clock.now()).toISOString();
    const row = { sha256, path, bytes: kept.bytes, time, actor };
    await this.#decide("trust.file_approved", row, { kind: "file_approved", row });
    return { path, ...kept, state: "trusted", approved: row };
  }

  /** Takes back every approval of these bytes, or of a file that was approved under this path. */
  async revoke(file: string, actor: string): Promise<ApprovedFile[]> {
    const rows = (await this.list()).filter(({ sha256, path }) => sha256 === file || path === file);
    if (rows.length === 0) throw new SwarmError("SWARM_FILE_NOT_APPROVED", { file });
    for (const row of rows) {
      const { sha256, path } = row;
      await this.#decide("trust.file_revoked", { ...row, actor }, { kind: "file_revoked", sha256, path });
      await forgetFile(this.#options.home, sha256);
    }
    return rows;
  }

  /** The copy to load a file from; it throws unless the bytes that are there now are approved. */
  async copyOf(path: string): Promise<TrustedCopy> {
    const { home } = this.#options;
    const { sha256, state } = await this.show(path);
    if (state !== "trusted")
      throw new SwarmError("SWARM_FILE_UNTRUSTED", { path, sha256, approved: state === "changed" });
    const copy = keptFilePath(home, sha256);
    const kept = await digestFile(copy).catch(() => null);
    // Damaged or gone: the approved bytes are still where they were, or the file has changed just now.
    if (kept?.sha256 !== sha256 && (await keepFile(home, path)).sha256 !== sha256)
      throw new SwarmError("SWARM_FILE_UNTRUSTED", { path, sha256, approved: true });
    return { sha256, copy };
  }

  async #decide(
    event: RecordedChange,
    { sha256, path, bytes, actor }: ApprovedFile,
    change: FileTrustChange,
  ): Promise<void> {
    await this.#options.audit.record(
      {
        kind: "change",
        event,
        actor,
        hook_digest: sha256,
        reason: path,
        before: JSON.stringify({ path, sha256, bytes }),
      },
      change,
    );
  }
}
