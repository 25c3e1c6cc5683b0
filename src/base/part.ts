/** What a process opens and has to end again. */
export interface Part {
  /** Does by itself what it is for, from now on. */
  start?(): Promise<void>;
  /** Begins nothing more, and resolves when what is under way has ended. */
  stop?(): Promise<void>;
  /** Ends what is under way at once. `stop` is still called. */
  abort?(): void;
}

/** A part that is loaded and opened when it is first asked for. */
export class Lazy<T extends Part> implements Part {
  readonly #make: () => Promise<T>;
  #opening: Promise<T> | null = null;
  #isAborted = false;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  open(): Promise<T> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Null where nobody has asked for it, or it could not be opened. */
  async opened(): Promise<T | null> {
    return (await this.#opening?.catch(() => null)) ?? null;
  }

  async start(): Promise<void> {
    await (await this.open()).start?.();
  }

  async stop(): Promise<void> {
    await (await this.opened())?.stop?.();
  }

  abort(): void {
    this.#isAborted = true;
    void this.opened().then((part) => part?.abort?.());
  }

  async #open(): Promise<T> {
    try {
      const made = await this.#make();
      if (this.#isAborted) made.abort?.();
      return made;
    } catch (error) {
      this.#opening = null; // a store that was busy may not be next time
      throw error;
    }
  }
}

/** Stops groups of parts one after the other. One that fails is no reason to leave the rest open: the process could not end. */
export async function stopAll(groups: readonly (readonly Part[])[]): Promise<void> {
  const problems: unknown[] = [];
  for (const group of groups) {
    const stopped = await Promise.allSettled(group.map(async (part) => part.stop?.()));
    for (const one of stopped) if (one.status === "rejected") problems.push(one.reason);
  }
  if (problems.length > 0) throw problems[0];
}
