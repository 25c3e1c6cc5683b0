/** Which options of a program take a value, so that its first other argument can be found. */
export interface OptionTable {
  /** Letters: `u` for `-u root`. */
  readonly short?: string;
  /** Names: `user` for `--user root`. With `=` no table is needed. */
  readonly long?: readonly string[];
}

/** Where the first argument stands that is neither an option nor the value of one; `args.length` when there is none. */
export function firstOperand(
  args: readonly string[],
  { short = "", long = [] }: OptionTable,
  from = 0,
): number {
  for (let at = from; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--") return at + 1;
    if (!arg.startsWith("-") || arg === "-") return at;
    if (arg.startsWith("--")) {
      if (long.includes(arg.slice(2))) at++;
    } else {
      // In `-nu5`, u has the value 5; in `-nu` the next argument is its value.
      const valued = [...arg.slice(1)].findIndex((letter) => short.includes(letter));
      if (valued !== -1 && valued === arg.length - 2) at++;
    }
  }
  return args.length;
}

/** The value of an option: `-m TEXT`, `-mTEXT`, `--message TEXT`, `--message=TEXT`. */
export function optionValue(
  args: readonly string[],
  short: string | null,
  ...long: readonly (string | null)[]
): string | undefined {
  for (const [at, arg] of args.entries()) {
    if (arg.startsWith("--")) {
      const end = arg.indexOf("=");
      const name = arg.slice(2, end === -1 ? undefined : end);
      if (long.includes(name)) return end === -1 ? args[at + 1] : arg.slice(end + 1);
    }
    if (short === null || arg.startsWith("--") || !arg.startsWith("-")) continue;
    const place = arg.indexOf(short);
    if (place > 0) return place === arg.length - 1 ? args[at + 1] : arg.slice(place + 1);
  }
  return undefined;
}
