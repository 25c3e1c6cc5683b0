/** A word of a schedule and where it begins. */
export interface Word {
  readonly text: string;
  readonly at: number;
}

export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], at: match.index }));
}
