/**
 * One form of a secret. Everything that masks secrets reads the same rows: the record, logs, error messages, and the
 * built-in `redact` hook.
 *
 * A pattern takes time linear in the text: it either consumes what it has read, or gives up after a bounded number of
 * characters, or can only begin where a run of characters begins.
 */
export interface SecretForm {
  readonly id: string;
  readonly doc: string;
  /** A text without any of these, in any case, cannot have the secret, and its pattern is not tried. */
  readonly keywords: readonly string[];
  /** Global. The group `kept` stays in front of the mask, the group `value` is what a placeholder is looked for in. */
  readonly pattern: RegExp;
  /** Further reasons to leave a match alone. */
  readonly isHarmless?: IsHarmless;
  /** The pattern finds a whole command, and the secrets are at these places of it. */
  readonly within?: { readonly pattern: RegExp; readonly isHarmless: IsHarmless };
  /** A text with such a secret, made by code so that no scanner of repositories finds one in this file. */
  readonly example: () => string;
  /** What the mask leaves of the example. */
  readonly masked?: string;
}

/** `after` is the character after the match. */
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
  return String.raw`(?:^|${characters}|\\[a-z]|\\u[0-9a-f]{4}|%[0-9A-F]{2}|\u001b\[[\d;]{0,16}m)`;
}
