/**
 * Characters that stand in an expanded word for what is no plain character. They are of the private-use area; where
 * they come in from outside they are replaced before anything is read.
 */
export const marks = {
  /** Any text, known only when the line runs: a variable nobody set here, the output of a command. */
  unknown: "\uE000",
  /** An unquoted `*`. */
  anyRun: "\uE001",
  /** An unquoted `?` or `[…]`. */
  anyOne: "\uE002",
} as const;

const anyMark = /[\uE000-\uE002]/g;

export function withoutMarks(text: string): string {
  return text.search(anyMark) === -1 ? text : text.replaceAll(anyMark, "\uFFFD");
}

export function hasUnknown(text: string): boolean {
  return text.includes(marks.unknown);
}

/** Whether the word is exactly what it says: no pattern, nothing left open. */
export function isPlain(text: string): boolean {
  return text.search(anyMark) === -1;
}

/** As a person would write it. */
export function shown(text: string): string {
  return text.replaceAll(anyMark, (mark) =>
    mark === marks.unknown ? "…" : mark === marks.anyRun ? "*" : "?",
  );
}
