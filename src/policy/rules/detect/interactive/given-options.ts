/** What a program was given: its options with their values, and everything else. */
export interface GivenOptions {
  /** Letters and long names without dashes; the value is empty where an option has none. */
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/** Options that take a value as the next word, unless it is part of theirs: letters, and long names. */
export interface ValuedOptions {
  readonly short?: string;
  /** Letters whose value is the rest of their own word: `-psecret`. */
  readonly attached?: string;
  readonly long?: readonly string[];
}

/** Reads options letter by letter: in `-Ucarl` there is no `-c` where `-U` takes a value. */
export function givenOptions(
  args: readonly string[],
  { short = "", attached = "", long = [] }: ValuedOptions,
): GivenOptions {
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith("--")) {
      const [name = "", ...value] = arg.slice(2).split("=");
      const isApart = value.length === 0 && long.includes(name);
      options.set(name, isApart ? (args[++at] ?? "") : value.join("="));
    } else if (arg.startsWith("-") && arg.length > 1) {
      // Some programs have long options with one dash.
      options.set(arg.slice(1), "");
      for (let letter = 1; letter < arg.length; letter++) {
        const name = arg[letter] as string;
        if (attached.includes(name)) break;
        if (!short.includes(name)) {
          options.set(name, "");
          continue;
        }
        const rest = arg.slice(letter + 1);
        options.set(name, rest === "" ? (args[++at] ?? "") : rest);
        break;
      }
    } else operands.push(arg);
  }
  return { options, operands };
}
