/** Counts by name, of as many names as are worth printing; the rest is counted together. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #maxNames: number;
  /** Of names beyond the most there may be. */
  others = 0;

  constructor(maxNames: number) {
    this.#maxNames = maxNames;
  }

  add(name: string, count = 1): void {
    const known = this.#counts.get(name);
    if (known === undefined && this.#counts.size >= this.#maxNames) this.others += count;
    else this.#counts.set(name, (known ?? 0) + count);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Most first, then by name. */
  get sorted(): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  }
}
