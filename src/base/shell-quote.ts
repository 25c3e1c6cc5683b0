/** A text as one word of a shell's line that means nothing but itself. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
