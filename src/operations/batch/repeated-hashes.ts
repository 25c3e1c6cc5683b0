/**
 * Which of some hashes came more than once. It keeps 32 bits of each, and its place tells 20 more: of a million, one pair in
 * four thousand tries is taken for equal and is not, and whoever asks compares the ids anyway. Memory is for as many
 * different ones as expected, 8 MB for a million; how often each comes does not matter.
 */
export class RepeatedHashes {
  readonly #marks: Uint32Array;
  readonly #isRepeated: Uint8Array;
  readonly #mask: number;
  #free: number;
  /** Hashes that came again. */
  count = 0;

  /** `expected`: how many are different; with many more the rest counts as repeated. */
  constructor(expected: number) {
    const capacity = 2 ** Math.ceil(Math.log2(2 * expected + 16));
    this.#marks = new Uint32Array(capacity);
    this.#isRepeated = new Uint8Array(capacity / 8);
    this.#mask = capacity - 1;
    this.#free = Math.floor(0.9 * capacity);
  }

  /** For another lot of about as many. */
  clear(): void {
    this.#marks.fill(0);
    this.#isRepeated.fill(0);
    this.#free = Math.floor(0.9 * this.#marks.length);
    this.count = 0;
  }

  /** `hash`: a whole number below 2^53. */
  add(hash: number): void {
    const mark = markOf(hash);
    const at = this.#find(hash, mark);
    if (this.#marks[at] === mark) {
      this.count++;
      this.#isRepeated[at >>> 3] = (this.#isRepeated[at >>> 3] ?? 0) | (1 << (at & 7));
    } else if (this.#free > 0) {
      this.#marks[at] = mark;
      this.#free--;
    } else {
      this.count++;
    }
  }

  has(hash: number): boolean {
    const mark = markOf(hash);
    const at = this.#find(hash, mark);
    if (this.#marks[at] !== mark) return true; // there was no room for it
    return ((this.#isRepeated[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  /** Its place, or the free one where it would be. A tenth is always free. */
  #find(hash: number, mark: number): number {
    let at = hash & this.#mask;
    for (let there = this.#marks[at]; there !== mark && there !== 0; there = this.#marks[at]) {
      at = (at + 1) & this.#mask;
    }
    return at;
  }
}

/** Never 0, which stands for nothing. */
function markOf(hash: number): number {
  return Math.floor(hash / 2 ** 21) || 1;
}
