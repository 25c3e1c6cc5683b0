import { open, rm } from "node:fs/promises";
import { type IdBatch, readIds } from "./id-file.ts";
import { OutputFile } from "./output-file.ts";
import { RepeatedHashes } from "./repeated-hashes.ts";

export interface BucketLimits {
  /** Ids that are looked at at once. */
  readonly ids: number;
  /** Files written at once. */
  readonly buckets: number;
}

/** 256 buckets of 262,144 ids, 2 MB while one is looked at; with more than 67 million records they are larger. */
const bucketLimits: BucketLimits = { ids: 2 ** 18, buckets: 256 };

/** Ids a bucket keeps until they are written: 4 MB for all buckets. */
const idsPerWrite = 1_024;

/**
 * The ids of a run in parts that fit into memory, by what their hashes begin with: equal ones are in one part. That is the
 * first pass of an external sort; the parts are neither sorted nor joined, as nobody needs them in order.
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

  /** The lines whose hashes more than one id has, some at a time. */
  async *candidates(): AsyncGenerator<readonly number[], void, undefined> {
    const isWhole = this.#bucketCount <= 1;
    if (!isWhole) await this.#split();
    // Hashes are even: no part has many more different ones than its share.
    const repeated = new RepeatedHashes(Math.ceil(this.#recordCount / Math.max(this.#bucketCount, 1)));
    const room = roomForIds();
    for (let bucket = 0; bucket < this.#bucketCount; bucket++) {
      const read = () => (isWhole ? readIds(this.#idFile) : readBucket(this.#fileOf(bucket), room));
      yield* candidatesOf(repeated, read);
    }
  }

  async remove(): Promise<void> {
    for (let bucket = 0; bucket < this.#bucketCount; bucket++)
      await rm(this.#fileOf(bucket), { force: true });
  }

  #fileOf(bucket: number): string {
    return `${this.#idFile}.${bucket}`;
  }

  async #split(): Promise<void> {
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
    } finally {
      for (const bucket of buckets) await bucket.close();
    }
  }
}

class Bucket {
  readonly #output: OutputFile;
  readonly #pairs = new Float64Array(2 * idsPerWrite);
  #held = 0;

  constructor(output: OutputFile) {
    this.#output = output;
  }

  /** Whether it is full, and to be written. */
  add(hash: number, line: number): boolean {
    this.#pairs[this.#held++] = hash;
    this.#pairs[this.#held++] = line;
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

/** One for all buckets: V8 looks too seldom at what is outside its heap, and half a megabyte for each would pile up. */
function roomForIds() {
  const idsPerRead = 16 * idsPerWrite;
  return {
    pairs: new Float64Array(2 * idsPerRead),
    hashes: new Float64Array(idsPerRead),
    lines: new Float64Array(idsPerRead),
  };
}

async function* readBucket(
  path: string,
  { pairs, hashes, lines }: ReturnType<typeof roomForIds>,
): AsyncGenerator<IdBatch, void, undefined> {
  const handle = await open(path, "r");
  try {
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

async function* candidatesOf(
  repeated: RepeatedHashes,
  read: () => AsyncIterable<IdBatch>,
): AsyncGenerator<readonly number[], void, undefined> {
  repeated.clear();
  for await (const { hashes } of read()) for (const hash of hashes) repeated.add(hash);
  if (repeated.count === 0) return;
  for await (const { hashes, lines } of read()) {
    yield Array.from(lines).filter((_, at) => repeated.has(hashes[at] ?? 0));
  }
}
