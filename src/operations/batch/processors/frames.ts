import type { JsonObject } from "../../../engine/events/schema.ts";

/**
 * What a runner and a worker say to each other, over pipes of their own (descriptors 3 and 4), so that whatever a
 * function prints is no part of it: a line of JSON, then as many bytes as its `bytes` says.
 *
 *     to the worker    {"open": {…}}                                            once
 *                      {"first_line", "line_count", "tell_ms", "bytes"} lines   a chunk, when the last one is done
 *     from the worker  {"ready": true, "facts"}                                 once
 *                      {"problem": "why"}                                       no worker like it can do this
 *                      {"lines", "done", …, "bytes"} rows, ids, latencies       a part of what became of the chunk
 *
 * `lines` of a part counts the lines of the chunk it covers; `is_last` ends the chunk. A part is told when
 * `tell_ms` have passed since the last, so that it is known which record a worker stays at.
 */
export interface PartHeader {
  readonly lines: number;
  readonly done: number;
  readonly failed: number;
  readonly classes: Readonly<Record<string, number>>;
  /** Bytes of each, in this order. */
  readonly results: number;
  readonly errors: number;
  /** One JSON text on a line for each record: how it is called. */
  readonly ids: number;
  readonly latencies: number;
  readonly is_last: boolean;
  /** It waits, and for exactly the record that follows this part. */
  readonly is_waiting: boolean;
  readonly tally?: JsonObject;
  readonly bytes: number;
}

export interface ChunkHeader {
  readonly first_line: number;
  readonly line_count: number;
  /** A part at least this often; 0: after each record. */
  readonly tell_ms: number;
  readonly bytes: number;
}

export interface Frame {
  readonly header: JsonObject;
  readonly body: Buffer;
}

/** One output is 16 MiB at most and a part is handed on at 4: more than this is no part, whoever has written it. */
const maxBodyBytes = 64 * 1024 * 1024;
const maxHeaderBytes = 1024 * 1024;
const newline = 0x0a;

export function frame(header: JsonObject, ...bodies: readonly Uint8Array[]): Buffer {
  const bytes = bodies.reduce((total, body) => total + body.byteLength, 0);
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, bytes })}\n`), ...bodies]);
}

/**
 * Puts frames together again. It throws at what is none; nothing that follows can be read then. Pieces are copied as they
 * come, each once and to where it belongs: whoever gives them may use their memory again at once.
 */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  /** Of a line that has not come whole. */
  #head: Buffer[] = [];
  #headBytes = 0;
  /** Null: its line has not come whole. */
  #header: JsonObject | null = null;
  #body: Buffer = nothing;
  #bodyBytes = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  add(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0 || this.#isWhole())
      rest = this.#header === null ? this.#addHead(rest) : this.#addBody(rest);
  }

  #isWhole(): boolean {
    return this.#header !== null && this.#bodyBytes === this.#body.length;
  }

  #addHead(piece: Buffer): Buffer {
    const end = piece.indexOf(newline);
    this.#head.push(Buffer.from(end === -1 ? piece : piece.subarray(0, end)));
    this.#headBytes += this.#head.at(-1)?.length ?? 0;
    if (this.#headBytes > maxHeaderBytes) throw new Error("the head of a frame is too long");
    if (end === -1) return piece.subarray(piece.length);
    const header: unknown = JSON.parse(Buffer.concat(this.#head).toString("utf8"));
    this.#head = [];
    this.#headBytes = 0;
    if (typeof header !== "object" || header === null) throw new Error("the head of a frame is no object");
    const { bytes = 0 } = header as { bytes?: unknown };
    if (!Number.isInteger(bytes) || Number(bytes) < 0 || Number(bytes) > maxBodyBytes)
      throw new Error("the length of a frame is none");
    this.#header = header as JsonObject;
    this.#body = Buffer.allocUnsafeSlow(Number(bytes));
    this.#bodyBytes = 0;
    return piece.subarray(end + 1);
  }

  #addBody(piece: Buffer): Buffer {
    const taken = piece.copy(this.#body, this.#bodyBytes);
    this.#bodyBytes += taken;
    if (this.#isWhole()) {
      const [header, body] = [this.#header ?? {}, this.#body];
      this.#header = null;
      this.#body = nothing;
      this.#onFrame({ header, body });
    }
    return piece.subarray(taken);
  }
}

const nothing = Buffer.alloc(0);

/** Gives the memory of a frame back at once: left to V8, which looks at what is outside its heap only now and then, it piles up. */
export function freeBody({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
}
