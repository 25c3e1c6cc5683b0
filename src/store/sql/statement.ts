/** What a statement can be given. A driver keeps true and false as 1 and 0. */
export type Value = string | number | boolean | null;

/** The statements of a feature by name, as their texts say them: `:job_id` is a value they are given. */
export type Texts = Readonly<Record<string, string>>;

/** What they are in a driver. A name that is not there, or a value too few, does not compile. */
export type Statements<All extends Texts> = { readonly [Name in keyof All]: Statement<All[Name]> };

export interface Statement<Text extends string> {
  /** Tells how many rows it changed. */
  run(...given: Given<Text>): number;
  one<Row>(...given: Given<Text>): Row | null;
  all<Row>(...given: Given<Text>): Row[];
}

export type Given<Text extends string> = [NameIn<Text>] extends [never]
  ? []
  : [values: { readonly [Name in NameIn<Text>]: Value }];

/** What stands behind a colon, up to what cannot be part of a name. */
type NameIn<Text extends string, Found = never> = Text extends `${string}:${infer Rest}`
  ? NameIn<Rest, Found | Word<Rest>>
  : Found;

type Word<Text extends string, Read extends string = ""> = Text extends `${infer First}${infer Rest}`
  ? First extends NameCharacter
    ? Word<Rest, `${Read}${First}`>
    : Read
  : Read;

type NameCharacter = Letter | Digit | "_";
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
// biome-ignore format: the alphabet
type Letter =
  | "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m"
  | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z";

/**
 * The text with a mark for each value, as drivers take them, and the names of the values in the order of their marks. By its
 * name SQLite looks each of them up: 12 µs for a row of the record.
 */
export function numbered(text: string, mark: (at: number) => string): { text: string; names: string[] } {
  const names: string[] = [];
  const marked = text.replaceAll(/:([a-z_][a-z0-9_]*)/g, (_, name: string) => mark(names.push(name)));
  return { text: marked, names };
}
