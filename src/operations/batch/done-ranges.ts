/** A stretch of the input, from the start of a line to the start of another. */
export interface Range {
  readonly from_bytes: number;
  readonly to_bytes: number;
  readonly from_lines: number;
  readonly to_lines: number;
}

/**
 * What of the input is done: all before a mark, and stretches beyond it where results are written as they come. Neighbours
 * are joined, so there are never more stretches than chunks under way.
 */
export class DoneRanges {
  #bytes: number;
  #lines: number;
  #beyond: Range[];

  constructor(bytes = 0, lines = 0, beyond: readonly Range[] = []) {
    this.#bytes = bytes;
    this.#lines = lines;
    this.#beyond = [...beyond];
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  get beyond(): readonly Range[] {
    return this.#beyond;
  }

  add({ from_bytes, to_bytes, from_lines, to_lines }: Range): void {
    const after = this.#beyond.findIndex((range) => range.from_bytes >= to_bytes);
    const at = after === -1 ? this.#beyond.length : after;
    const before = this.#beyond[at - 1];
    const next = this.#beyond[at];
    const joinsBefore = before?.to_bytes === from_bytes;
    const joinsNext = next?.from_bytes === to_bytes;
    const joined = {
      ...(joinsBefore
        ? { from_bytes: before.from_bytes, from_lines: before.from_lines }
        : { from_bytes, from_lines }),
      ...(joinsNext ? { to_bytes: next.to_bytes, to_lines: next.to_lines } : { to_bytes, to_lines }),
    };
    this.#beyond.splice(at - (joinsBefore ? 1 : 0), (joinsBefore ? 1 : 0) + (joinsNext ? 1 : 0), joined);
    const [first] = this.#beyond;
    if (first?.from_bytes !== this.#bytes) return;
    this.#beyond.shift();
    this.#bytes = first.to_bytes;
    this.#lines = first.to_lines;
  }
}
