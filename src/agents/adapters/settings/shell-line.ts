/**
 * One line for a shell. Which one is the user's choice (`$SHELL -lc`), so only what all of them read alike is used:
 * backslashes and single quotes stand outside of the quotes, where fish and sh agree on them.
 */
export function shellLine(argv: readonly string[]): string {
  return argv.map(quoted).join(" ");
}

function quoted(word: string): string {
  if (/^[A-Za-z0-9_./:@,+-]+$/.test(word)) return word;
  return `'${word.replaceAll(/['\\]/g, (mark) => `'\\${mark}'`)}'`;
}

/** The words of a line as `shellLine` writes it; null for one that does more than start a program. */
export function shellWords(line: string): string[] | null {
  const word = /(?:[A-Za-z0-9_./:@,+=-]+|'[^']*'|"[^"$`\\]*"|\\['\\ ])+/y;
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === " ") {
      at++;
      continue;
    }
    word.lastIndex = at;
    const [found] = word.exec(line) ?? [];
    if (found === undefined) return null;
    words.push(
      found.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, mark) => single ?? double ?? mark),
    );
    at += found.length;
  }
  return words;
}
