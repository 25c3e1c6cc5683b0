/** A loop over more words is not followed. */
const maxRounds = 64;

/** Values a loop's variable has, one after the other; null: too many. Of many numbers two are enough. */
export function roundsOf(words: readonly string[]): readonly string[] | null {
  if (words.length <= maxRounds) return words;
  const numbers = words.filter(isNumber).slice(2);
  const values = numbers.length === 0 ? words : words.filter((word) => !numbers.includes(word));
  return values.length <= maxRounds ? values : null;
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}
