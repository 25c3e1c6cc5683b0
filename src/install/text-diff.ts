/**
 * The lines that differ, with two around them. Our changes to a settings file are in one place, so what the texts have in
 * common at both ends is enough to find it.
 */
export function textDiff(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  if (start === old.length && start === now.length) return [];
  const around = (lines: readonly string[], from: number, to: number) =>
    lines.slice(Math.max(0, from), Math.max(0, to)).map((line) => `  ${line}`);
  return [
    ...around(old, start - 2, start),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
    ...around(now, now.length - end, now.length - end + 2),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
