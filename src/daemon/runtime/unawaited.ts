/** Work nobody waits for, until the end, which does. */
export class Unawaited {
  readonly #works = new Set<Promise<unknown>>();

  leave(work: Promise<unknown>): void {
    const left = work.finally(() => this.#works.delete(left));
    this.#works.add(left);
  }

  /** Resolves when all of it is done, and what it has left meanwhile. */
  async stop(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
