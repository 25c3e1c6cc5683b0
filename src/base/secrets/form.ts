/**
 * One form of a secret. Everything that masks secrets reads the same rows: the record, logs, error messages, and the
 * built-in `redact` hook.
 *
 * A pattern takes time linear in the text and a bounded stack: every repetition has an upper bound, and what it has read
 * is either consumed, or little, or can only begin where a run of characters begins.
 */
export interface SecretForm {
  readonly id: string;
  readonly doc: string;
  /** A text without any of these, in any case, cannot have the secret, and its pattern is not tried. */
  readonly keywords: readonly string[];
  /**
   * Global. The group `kept` stays in front of the mask, the group `value` is what a placeholder is looked for in. With
   * `within` it finds the name of a program.
   */
  readonly pattern: RegExp;
  /** Further reasons to leave a match alone. */
  readonly isHarmless?: IsHarmless;
  /** The secrets are among the arguments of the program that the pattern finds. */
  readonly within?: WithinCommand;
  /** Where a secret begins whose end the pattern finds. */
  readonly startOf?: (text: string, at: number) => number;
  /** A text with such a secret, made by code so that no scanner of repositories finds one in this file. */
  readonly example: () => string;
  /** What the mask leaves of the example. */
  readonly masked?: string;
}

export interface WithinCommand {
  /** A command without this has no secret. */
  readonly needs?: RegExp;
  readonly pattern: RegExp;
  readonly isHarmless: IsHarmless;
}

/** `value` is the whole match where the pattern has no such group; `kept` has the word before the match, too; `after` is the character after it. */
export type IsHarmless = (value: string, kept: string, after: string) => boolean;

const letters = "aZ3bY9cX1dW7eV5fU2gT8hS4iR6jQ0kPlOmNnMoLpK";

/** Characters that look random and are the same in every run. */
export function filler(count: number, alphabet: string = letters): string {
  return Array.from({ length: count }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join("");
}

export const hexDigits = "0f1e2d3c4b5a69788";

/**
 * The source of a pattern for what may stand before a token: nothing, one of `characters`, or an escape sequence. `\n`,
 * `%3D` and a terminal's color end with a letter or digit that does not belong to the token.
 */
export function startAfter(characters: string): string {
  return String.raw`(?:^|${characters}|\\[a-z]|\\u[0-9a-f]{4}|%[0-9A-Fa-f]{2}|\u001b\[[\d;]{0,16}m)`;
}

/** A quotation mark, or one that a text in a text has escaped. */
export const quote = String.raw`\\{0,3}["']`;

/** The source of a pattern for a literal text, its slashes also as JSON and addresses escape them. */
export function literal(text: string): string {
  const escaped = text.replaceAll(/[.\-$()|[\]{}+*?^]/g, String.raw`\$&`);
  return escaped.replaceAll("/", String.raw`(?:\\{0,2}\/|%2[Ff])`);
}
