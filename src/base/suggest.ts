/** The known word nearest to a mistyped one, or undefined when none is near enough to be meant. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const folded = fold(word);
  // A third of the letters may differ: "PreToolsUse" finds PreToolUse, "banana" finds nothing.
  let nearest: string | undefined;
  let fewest = Math.floor(folded.length / 3) + 1;
  for (const candidate of known) {
    const edits = editDistance(folded, fold(candidate), fewest);
    if (edits < fewest) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Case and separators are what people get wrong most: they do not count. */
function fold(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[._\-\s]/g, "");
}

/** How many letters are wrong, missing, too many or swapped with the next; `limit` as soon as it is certain to be no less. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwapped ? (twoAbove[column - 2] ?? 0) + 1 : limit;
      current.push(Math.min(substitution, swap, (current[column - 1] ?? 0) + 1, (above[column] ?? 0) + 1));
    }
    // A swap reaches over one row.
    if (Math.min(...current, ...above) >= limit) return limit;
    [twoAbove, above] = [above, current];
  }
  return above[b.length] ?? limit;
}
