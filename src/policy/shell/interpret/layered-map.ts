/**
 * A map over another one that stays as it is: what a part of a line sets is gone with it. To copy thousands of variables
 * for each of a thousand commands took 10 s. The map below must not change while this one is in use.
 */
export class LayeredMap<V extends object | string> {
  readonly #below: LayeredMap<V> | null;
  /** Undefined: gone. */
  #own: Map<string, V | undefined> | null = null;

  readonly #isSeen: ((name: string) => boolean) | null;

  /** Of what is below only that is seen which the function says; without one, all. */
  constructor(below: LayeredMap<V> | null = null, isSeen: ((name: string) => boolean) | null = null) {
    this.#below = below;
    this.#isSeen = isSeen;
  }

  get(name: string): V | undefined {
    if (this.#own?.has(name) === true) return this.#own.get(name);
    return this.#isSeen === null || this.#isSeen(name) ? this.#below?.get(name) : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, value: V): void {
    this.#own ??= new Map();
    this.#own.set(name, value);
  }

  delete(name: string): void {
    this.#own ??= new Map();
    this.#own.set(name, undefined);
  }

  /** As it was before: with a value, or without one. */
  restore(name: string, value: V | undefined): void {
    if (value === undefined) this.delete(name);
    else this.set(name, value);
  }

  /** Whether nothing was ever put into it. */
  get isUntouched(): boolean {
    return this.#own === null && (this.#below?.isUntouched ?? true);
  }
}
