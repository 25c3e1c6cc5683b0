/** A path as rules compare it, prepared once for all of them. */
export class PathText {
  readonly text: string;
  /** Part of it is a pattern the shell will expand. */
  readonly isPattern: boolean;
  readonly isPlain: boolean;
  #segments: readonly string[] | null = null;
  #folded: readonly string[] | null = null;

  constructor(text: string) {
    this.text = text;
    this.isPattern = /[\uE001\uE002]/.test(text);
    this.isPlain = !this.isPattern && !text.includes("\uE000");
  }

  /** Its names from the root on; all lower case where case does not count. */
  segments(isFolded: boolean): readonly string[] {
    if (!isFolded) {
      this.#segments ??= segmentsOf(this.text);
      return this.#segments;
    }
    this.#folded ??= segmentsOf(this.text.toLowerCase());
    return this.#folded;
  }
}

export function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
