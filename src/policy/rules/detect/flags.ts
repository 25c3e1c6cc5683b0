/**
 * Whether an option is given: `-f` alone or among others (`-rf`), `--force`, or any beginning of that which programs take
 * for it (`--forc`). What follows `--` are no options.
 */
export function hasFlag(args: readonly string[], short: string | null, ...long: readonly string[]): boolean {
  for (const arg of args) {
    if (arg === "--") return false;
    if (!arg.startsWith("-") || arg.length < 2) continue;
    if (arg.startsWith("--")) {
      const end = arg.indexOf("=");
      const name = arg.slice(2, end === -1 ? undefined : end);
      if (name !== "" && long.some((known) => known.startsWith(name))) return true;
    } else if (short !== null && arg.includes(short)) return true;
  }
  return false;
}

/** Arguments that are no options; everything after `--`. */
export function operands(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const before = end === -1 ? args : args.slice(0, end);
  return [
    ...before.filter((arg) => !arg.startsWith("-") || arg === "-"),
    ...(end === -1 ? [] : args.slice(end + 1)),
  ];
}
