const letters: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

const escaped =
  /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(0?[0-7]{1,3})|c([\s\S])|([\s\S]))/g;

/** What stands between `$'` and `'`. A NUL ends it there, as it does in bash: `$'--force\0x'` is `--force`. */
export function unquoteAnsiC(text: string): string {
  const unescaped = replaceEscapes(text, "\0");
  const end = unescaped.indexOf("\0");
  return end === -1 ? unescaped : unescaped.slice(0, end);
}

/** What stands in the format of printf and echo -e, with its escapes replaced. Whoever reads the output drops a NUL. */
export function unescapeAnsiC(text: string): string {
  return replaceEscapes(text, "");
}

function replaceEscapes(text: string, nul: string): string {
  if (!text.includes("\\")) return text;
  const character = (code: number) => (code === 0 ? nul : code <= 0x10ffff ? String.fromCodePoint(code) : "");
  return text.replaceAll(
    escaped,
    (
      whole: string,
      hex?: string,
      short?: string,
      long?: string,
      octal?: string,
      control?: string,
      other?: string,
    ) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return character(Number.parseInt(digits, 16));
      if (octal !== undefined) return character(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return character(control.charCodeAt(0) & 0x1f);
      return letters[other ?? ""] ?? whole;
    },
  );
}
