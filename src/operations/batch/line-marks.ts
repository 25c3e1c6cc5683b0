/** Some lines of a file, one bit for each there is: fifty million lines are 6 MB, however many of them are marked. */
export class LineMarks {
  #bits = new Uint8Array(1024);
  count = 0;

  /** None is added twice. */
  add(line: number): void {
    const at = Math.floor(line / 8);
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(2 * at);
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (line % 8));
    this.count++;
  }

  has(line: number): boolean {
    return ((this.#bits[Math.floor(line / 8)] ?? 0) & (1 << (line % 8))) !== 0;
  }

  /** From one line to another, both included. */
  hasAny(from: number, to: number): boolean {
    for (let line = from; line <= to; line++) if (this.has(line)) return true;
    return false;
  }
}
