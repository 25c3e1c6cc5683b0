import { open, rm } from "node:fs/promises";
import { type IdBatch, readIds } from "./id-file.ts";
import { OutputFile } from "./output-file.ts";

export interface BucketLimits {
  /** Ids that are sorted at once. */
  readonly ids: number;
  /** Files written at once. */
  readonly buckets: number;
}

/** 256 buckets of half a million ids, 4 MB each while it is sorted; with more records than that they are larger. */
const bucketLimits: BucketLimits = { ids: 2 ** 19, buckets: 256 };

/** Ids a bucket keeps until they are written: 4 MB for all buckets. */
const idsPerWrite = 1_024;

/**
 * The ids of a run in parts that fit into memory, by what their hashes begin with: equal ones are in one part. That is the
 * first pass of an external sort; the parts are never joined, as nobody needs them in order.
 */
export class IdBuckets {
  readonly #idFile: string;
  readonly #recordCount: number;
  readonly #bucketCount: number;

  constructor(idFile: string, recordCount: number, limits: BucketLimits = bucketLimits) {
    this.#idFile = idFile;
    this.#recordCount = recordCount;
    this.#bucketCount = Math.min(Math.ceil(recordCount / limits.ids), limits.buckets);
  }

  /** For each part the lines whose hashes more than one of its ids has. */
  async *candidates(): AsyncGenerator<readonly number[], void, undefined> {
    if (this.#bucketCount <= 1) {
      yield await candidatesOf(new Float64Array(this.#recordCount), () => readIds(this.#idFile));
      return;
    }
    const counts = await this.#split();
    // One memory for all: V8 would keep those of several buckets before it looks.
    const room = new Float64Array(Math.max(...counts));
    for (const [bucket, count] of counts.entries()) {
      yield await candidatesOf(room.subarray(0, count), () => readBucket(this.#fileOf(bucket)));
    }
  }

  async remove(): Promise<void> {
    for (let bucket = 0; bucket < this.#bucketCount; bucket++)
      await rm(this.#fileOf(bucket), { force: true });
  }

  #fileOf(bucket: number): string {
    return `${this.#idFile}.${bucket}`;
  }

  /** Tells how many ids each got. */
  async #split(): Promise<number[]> {
    const buckets: Bucket[] = [];
    try {
      for (let bucket = 0; bucket < this.#bucketCount; bucket++) {
        buckets.push(new Bucket(await OutputFile.open(this.#fileOf(bucket), 0)));
      }
      for await (const { hashes, lines } of readIds(this.#idFile)) {
        for (let at = 0; at < hashes.length; at++) {
          const hash = hashes[at] ?? 0;
          const bucket = buckets[Math.floor((hash / 2 ** 53) * this.#bucketCount)];
          if (bucket?.add(hash, lines[at] ?? 0)) await bucket.write();
        }
      }
      for (const bucket of buckets) await bucket.write();
      return buckets.map(({ count }) => count);
    } finally {
      for (const bucket of buckets) await bucket.close();
    }
  }
}

class Bucket {
  readonly #output: OutputFile;
  readonly #pairs = new Float64Array(2 * idsPerWrite);
  #held = 0;
  count = 0;

  constructor(output: OutputFile) {
    this.#output = output;
  }

  /** Whether it is full, and to be written. */
  add(hash: number, line: number): boolean {
    this.#pairs[this.#held++] = hash;
    this.#pairs[this.#held++] = line;
    this.count++;
    return this.#held === this.#pairs.length;
  }

  async write(): Promise<void> {
    await this.#output.append([
      Buffer.from(this.#pairs.buffer, 0, this.#held * Float64Array.BYTES_PER_ELEMENT),
    ]);
    this.#held = 0;
  }

  close(): Promise<void> {
    return this.#output.close();
  }
}

async function* readBucket(path: string): AsyncGenerator<IdBatch, void, undefined> {
  const handle = await open(path, "r");
  try {
    const idsPerRead = 16 * idsPerWrite;
    const pairs = new Float64Array(2 * idsPerRead);
    const [hashes, lines] = [new Float64Array(idsPerRead), new Float64Array(idsPerRead)];
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(new Uint8Array(pairs.buffer), 0, pairs.byteLength, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const count = bytesRead / (2 * Float64Array.BYTES_PER_ELEMENT);
      for (let index = 0; index < count; index++) {
        hashes[index] = pairs[2 * index] ?? 0;
        lines[index] = pairs[2 * index + 1] ?? 0;
      }
      yield { hashes: hashes.subarray(0, count), lines: lines.subarray(0, count) };
    }
  } finally {
    await handle.close();
  }
}

/** The lines whose hashes occur more than once. `sorted`: room for all of them. */
async function candidatesOf(sorted: Float64Array, read: () => AsyncIterable<IdBatch>): Promise<number[]> {
  let filled = 0;
  for await (const { hashes } of read()) {
    sorted.set(hashes.subarray(0, sorted.length - filled), filled);
    filled += hashes.length;
  }
  sorted.sort();
  const repeated = sorted.filter((hash, at) => hash === sorted[at - 1] && hash !== sorted[at - 2]);
  const lines: number[] = [];
  if (repeated.length === 0) return lines;
  for await (const batch of read()) {
    batch.hashes.forEach((hash, at) => {
      if (isAmong(repeated, hash)) lines.push(batch.lines[at] ?? 0);
    });
  }
  return lines;
}

function isAmong(sorted: Float64Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
