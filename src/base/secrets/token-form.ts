import { filler, type IsHarmless, literal, type SecretForm, startAfter } from "./form.ts";

/** `task-…` is no `sk-…`. */
const start = startAfter("[^A-Za-z0-9]");

export type TokenParts = Pick<SecretForm, "id" | "doc"> & {
  /** Literal texts a token begins with. */
  readonly prefixes: readonly string[];
  /** Character class of the rest, and how many of them there are at least. */
  readonly rest: string;
  readonly min: number;
  /** Whether there are no more of them: the prefix is short, and data in base64 may have it by chance. */
  readonly isExact?: boolean;
  readonly alphabet?: string;
  readonly isHarmless?: IsHarmless;
  /** What a text must have, where a prefix can be written in several ways. */
  readonly keywords?: readonly string[];
};

/** No token is longer; a pattern without a bound needs a stack as large as the text. */
const maxRest = 16_384;

/** The prefix is searched for first and only then what stands before it is looked at: that is what makes it fast. */
export function token({
  prefixes,
  rest,
  min,
  isExact,
  alphabet,
  keywords = prefixes,
  ...row
}: TokenParts): SecretForm {
  const prefix = `(?:${prefixes.map(literal).join("|")})`;
  const length = isExact === true ? `{${min}}(?!${rest})` : `{${min},${maxRest}}`;
  return {
    ...row,
    keywords,
    pattern: new RegExp(`${prefix}(?<=${start}${prefix})${rest}${length}`, "g"),
    example: () => `${prefixes[0]}${filler(min, alphabet)}`,
    masked: "",
  };
}
