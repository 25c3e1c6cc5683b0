/** Lines shown around what differs. */
const context = 2;

type Kind = " " | "-" | "+";
type Line = readonly [Kind, string];

/** The lines that differ, each with what becomes of it and with two around it; `…` stands for those between. */
export function textDiff(before: string, after: string): string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const isShown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(([kind]) => kind !== " "),
  );
  return lines.flatMap(([kind, text], at) => {
    if (isShown[at] === true) return [`${kind} ${text}`];
    const isGap = isShown[at - 1] === true && isShown.indexOf(true, at) !== -1;
    return isGap ? ["…"] : [];
  });
}

/** What the texts have in common at both ends needs no search; settings are some hundred lines, so the rest may be. */
function compare(old: readonly string[], now: readonly string[]): Line[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (line: string): Line => [" ", line];
  return [
    ...old.slice(0, start).map(same),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** Above this many pairs the middle is shown as replaced: a table of them would take seconds. */
const maxPairs = 4_000_000;

/** By the longest common subsequence: `lengths[i][j]` is that of `old` from i on and `now` from j on. */
function compareMiddle(old: readonly string[], now: readonly string[]): Line[] {
  if (old.length * now.length > maxPairs)
    return [...old.map((line): Line => ["-", line]), ...now.map((line): Line => ["+", line])];
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    const row = lengths[i];
    for (let j = now.length - 1; j >= 0 && row !== undefined; j--) {
      row[j] =
        old[i] === now[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]];
    if (was !== undefined && was === is) {
      lines.push([" ", was]);
      i++;
      j++;
    } else if (was !== undefined && (is === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(["-", was]);
      i++;
    } else if (is !== undefined) {
      lines.push(["+", is]);
      j++;
    }
  }
  return lines;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
