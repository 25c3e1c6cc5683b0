import { closeSync, constants, openSync, writeSync } from "node:fs";
import { NotReadable, readBoundedFile } from "../../base/bounded-file.ts";
import type { Log } from "../../base/log.ts";
import { genesisHash } from "../port/run-event.ts";
import type { Head, SignedHead, Store } from "../../store/port/store.ts";
import { isSealed } from "./row-seal.ts";
import type { SigningKey } from "./signing-key.ts";
import type { Fault } from "./verify.ts";

/**
 * Each of the two parts of the file, in one write over what was there: neither a kill nor a power loss leaves half of each.
 * They are written apart, because several processes write one without the other.
 */
const partBytes = 512;
const parts = { head: 0, approvers: 1 } as const;
/** Another process may have made the key just now, and be about to make this. */
const waitMs = 100;
const retryMs = 5;

/** How many rows of the record change the approvers, and the hash of the newest: rows that were taken out are missed. */
export interface ApproverRows {
  readonly count: number;
  readonly hash: string;
}

/** Where that is kept outside of the store. */
export interface ApproverMark {
  /** Null when it is not known. */
  approvers(): ApproverRows | null;
  keepApprovers(rows: ApproverRows): void;
}

/** Whether no row is missing of those that were marked; there may be newer ones. */
export function hasApproverRows(marked: ApproverRows, hashes: readonly string[]): boolean {
  return marked.count === 0 || hashes[marked.count - 1] === marked.hash;
}

export function approverRows(changes: readonly { readonly row: { readonly hash: string } }[]): ApproverRows {
  return { count: changes.length, hash: changes.at(-1)?.row.hash ?? genesisHash };
}

/**
 * The newest head that was signed, in a file beside the key (`audit-head`): a database that was emptied, cut back or replaced
 * by an older copy does not contain it. It is written after the rows have reached the disk, so it never runs ahead of them.
 */
export class HeadMark implements ApproverMark {
  readonly #file: string;
  readonly #key: SigningKey;
  readonly #log: Log;

  constructor(file: string, key: SigningKey, log: Log) {
    this.#file = file;
    this.#key = key;
    this.#log = log;
  }

  /** A key that was there before has had a mark, and so has a record that another key has written. */
  begin(): void {
    this.replace(this.#key.sign({ seq: 0, hash: genesisHash }, new Date().toISOString()));
    this.keepApprovers({ count: 0, hash: genesisHash });
  }

  /** The head, or why it is not known. */
  read(): SignedHead | string {
    const text = this.#textOnceThere();
    if (text !== null && this.approvers() === null) return "audit-head was not signed by the key";
    if (text === null) return "audit-head is missing, and the key beside it was used before";
    const head = headIn(text);
    const isSigned = head !== null && head.key_id === this.#key.publicKey.id;
    return isSigned && this.#key.publicKey.hasSigned(head) ? head : "audit-head was not signed by the key";
  }

  /** Keeps the newer of the two; others sign as well. One that cannot be written stays behind, which does no harm. */
  raise(head: SignedHead): void {
    try {
      const known = headIn(this.#text() ?? "");
      if (known === null || known.seq < head.seq) this.replace(head);
    } catch (error) {
      this.#log.warn(`audit-head cannot be written: ${(error as Error).message}`, { seq: head.seq });
    }
  }

  replace({ seq, hash, time, key_id, signature }: SignedHead): void {
    this.#write("head", { seq, hash, time, key_id, signature });
  }

  approvers(): ApproverRows | null {
    const found = objectIn(partOf(this.#textOnceThere() ?? "", "approvers")) as Partial<
      ApproverRows & { seal: string }
    >;
    const { count, hash, seal } = found;
    if (!Number.isSafeInteger(count) || typeof hash !== "string") return null;
    const rows = { count: count as number, hash };
    return seal === this.#sealOf(rows) ? rows : null;
  }

  keepApprovers({ count, hash }: ApproverRows): void {
    try {
      this.#write("approvers", { count, hash, seal: this.#sealOf({ count, hash }) });
    } catch (error) {
      this.#log.warn(`audit-head cannot be written: ${(error as Error).message}`, { count });
    }
  }

  #sealOf({ count, hash }: ApproverRows): string {
    return this.#key.seal("rows of approvers", `${count}\n${hash}`);
  }

  #write(part: keyof typeof parts, value: object): void {
    const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
    const descriptor = openSync(this.#file, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(value).padEnd(partBytes - 1)}\n`, parts[part] * partBytes);
    } finally {
      closeSync(descriptor);
    }
  }

  #textOnceThere(): string | null {
    for (const untilMs = performance.now() + waitMs; ; ) {
      const text = this.#text();
      const isWhole = text !== null && text.length > partBytes;
      if (isWhole || performance.now() > untilMs) return text;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }

  #text(): string | null {
    try {
      return readBoundedFile(this.#file, 4 * partBytes).bytes.toString("utf8");
    } catch (error) {
      if (error instanceof NotReadable) return "";
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }
}

function partOf(text: string, part: keyof typeof parts): string {
  return text.slice(parts[part] * partBytes, (parts[part] + 1) * partBytes);
}

function headIn(text: string): SignedHead | null {
  const { seq, hash, time, key_id, signature } = objectIn(partOf(text, "head")) as unknown as SignedHead;
  const isHead = Number.isSafeInteger(seq) && [hash, time, key_id, signature].every(isText);
  return isHead ? { seq, hash, time, key_id, signature } : null;
}

/** Empty where there is none. */
function objectIn(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Whether nobody has written the record but who has this key: one that was made in the place of another begins nothing. */
export async function isBegunWith(key: SigningKey, store: Store): Promise<boolean> {
  const { seq } = await store.head();
  const [newest] = seq === 0 ? [] : await store.readSealedRows(seq - 1, 1);
  return key.isNew && (newest === undefined ? seq === 0 : isSealed(key, newest));
}

/** Why the record is not the one whose head was signed; null when it contains it. `marked` was read before the record. */
export async function markFault(store: Store, marked: SignedHead | string, end: Head): Promise<Fault | null> {
  if (typeof marked === "string") return { kind: "unsigned", seq: end.seq, problem: marked };
  const { seq, hash, time } = marked;
  const signed = `row ${seq} was signed on ${time}`;
  if (seq > end.seq)
    return {
      kind: "truncated",
      seq: end.seq + 1,
      problem: `the record ends at row ${end.seq}, but ${signed}`,
    };
  if (seq === 0) return null;
  const [row] = await store.readRunEvents(seq - 1, 1);
  if (row?.seq === seq && row.hash === hash) return null;
  return { kind: "rewritten", seq, problem: `${signed}, and is another one now` };
}
