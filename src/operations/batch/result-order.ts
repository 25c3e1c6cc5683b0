import { type Finished, sizeOf } from "./finished.ts";

/** Has results be written in the order of their records, and keeps those whose turn has not come. */
export class ResultOrder {
  /** By the byte where each begins. */
  readonly #early = new Map<number, Finished>();
  #nextByte: number;
  #earlyBytes = 0;

  /** `nextByte`: before it everything is written or about to be. */
  constructor(nextByte: number) {
    this.#nextByte = nextByte;
  }

  /** Those whose turn has not come. */
  get early(): Iterable<Finished> {
    return this.#early.values();
  }

  get earlyCount(): number {
    return this.#early.size;
  }

  get earlyBytes(): number {
    return this.#earlyBytes;
  }

  /** Takes one, and returns those whose turn it is now, in their order. */
  add(finished: Finished): Finished[] {
    this.#early.set(finished.from_bytes, finished);
    this.#earlyBytes += sizeOf(finished);
    const due: Finished[] = [];
    for (let next = this.#early.get(this.#nextByte); next !== undefined; ) {
      this.#early.delete(next.from_bytes);
      this.#earlyBytes -= sizeOf(next);
      this.#nextByte = next.to_bytes;
      due.push(next);
      next = this.#early.get(this.#nextByte);
    }
    return due;
  }
}
