import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { SwarmError } from "../../../base/errors.ts";
import { CsvReader } from "./csv.ts";
import { JsonlReader } from "./jsonl.ts";
import type { RowReader, RowSink } from "./row-reader.ts";

export interface FileRead {
  /** As they are on disk, and their SHA-256 in hex. */
  readonly bytes: number;
  readonly digest: string;
  readonly rows: number;
  readonly unread: number;
}

/** Larger than any record somebody would compare; one that never ends must not fill the memory. */
const maxRowChars = 8 * 1024 * 1024;
/** A log that is being written may end in half a row; a file of another kind has nothing but. */
const maxUnreadShare = 0.01;

/** Reads a JSONL or CSV file, plain or gzipped, a row at a time. What it is, is seen by its name, else by its beginning. */
export async function readRecords(file: string, onRecord: (record: unknown) => void): Promise<FileRead> {
  const counts = { bytes: 0, rows: 0, unread: 0, problem: "" };
  const hash = createHash("sha256");
  const sink: RowSink = {
    record(value) {
      counts.rows++;
      onRecord(value);
    },
    unread(problem) {
      counts.unread++;
      counts.problem ||= `row ${counts.rows + counts.unread}: ${problem}`;
    },
  };
  try {
    const handle = await opened(file);
    const stream = handle.createReadStream({ start: 0, highWaterMark: 1024 * 1024 });
    const hashed = (source: Readable) => hashing(source, hash, counts);
    const parsed = (source: AsyncIterable<Buffer>) => parse(source, file, sink);
    if (await isGzip(handle)) await pipeline(stream, hashed, createGunzip({ chunkSize: 256 * 1024 }), parsed);
    else await pipeline(stream, hashed, parsed);
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    throw invalid(file, (error as Error).message);
  }
  const { bytes, rows, unread, problem } = counts;
  if (unread > maxUnreadShare * (rows + unread))
    throw invalid(file, `${unread} of ${rows + unread} rows cannot be read; ${problem}`);
  return { bytes, digest: hash.digest("hex"), rows, unread };
}

async function opened(file: string): Promise<FileHandle> {
  // Opening a pipe that nobody writes to would wait for ever.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw invalid(file, "not a file, expected one");
}

async function isGzip(handle: FileHandle): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

async function* hashing(source: Readable, hash: Hash, counts: { bytes: number }) {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk);
    counts.bytes += chunk.length;
    yield chunk;
  }
}

async function parse(source: AsyncIterable<Buffer>, file: string, sink: RowSink): Promise<void> {
  // Takes a byte order mark away, and puts characters together that are split between two chunks.
  const decoder = new TextDecoder();
  let reader: RowReader | null = null;
  const push = (text: string): void => {
    if (reader === null && text.trim() === "") return;
    reader ??= readerFor(file, text, sink);
    reader.push(text);
    if (reader.pendingChars > maxRowChars)
      throw invalid(file, `a row is longer than ${maxRowChars} characters, expected fewer`);
  };
  for await (const chunk of source) push(decoder.decode(chunk, { stream: true }));
  push(decoder.decode());
  (reader as RowReader | null)?.end();
}

function readerFor(file: string, beginning: string, sink: RowSink): RowReader {
  const name = file.toLowerCase().replace(/\.gz$/, "");
  if (name.endsWith(".tsv")) return new CsvReader(sink, "\t");
  if (name.endsWith(".csv")) return new CsvReader(sink, ",");
  const isJson = /\.(jsonl|ndjson)$/.test(name) || beginning.trimStart().startsWith("{");
  return isJson ? new JsonlReader(sink) : new CsvReader(sink, ",");
}

function invalid(file: string, problem: string): SwarmError {
  return new SwarmError("SWARM_DRIFT_DATA_INVALID", { file, problem });
}
