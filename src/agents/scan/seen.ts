import { hash } from "node:crypto";

/**
 * How many are remembered at least, twice as many at most: 22 MB. A copy that is further away than that from what it is a
 * copy of counts as new.
 */
const generationSize = 250_000;

/** Tells what has been seen before. By 48 bits of a hash: among half a million the chance of one mistake is 1 in 2,000. */
export class Seen {
  #newer = new Set<number>();
  #older = new Set<number>();

  /** Whether it is the first of its kind. */
  isNew(...parts: readonly unknown[]): boolean {
    const key = hash("sha1", JSON.stringify(parts), "buffer").readUIntBE(0, 6);
    if (this.#newer.has(key)) return false;
    const isKnown = this.#older.has(key);
    this.#newer.add(key);
    if (this.#newer.size >= generationSize) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return !isKnown;
  }
}
