// @ts-check
/** What stands in the place of a card number. */
export const mask = "XXXX-XXXX-XXXX-XXXX";

/** Digits in groups, one space or dash between them, that are not part of a word: in every script that has digits. */
const digitGroups = /(?<![\p{L}\p{N}_])\p{Nd}+(?:[ -]\p{Nd}+)*(?![\p{L}\p{N}_])/gu;

/**
 * A text with its card numbers masked: 13 to 19 digits, together or in groups. With `luhn` only those whose check digit
 * fits, as a card's does and one in ten other numbers'.
 *
 * @param {string} text
 * @param {{ luhn?: boolean }} [options]
 * @returns {string}
 */
export function maskCards(text, { luhn = false } = {}) {
  return text.replaceAll(digitGroups, (run) => maskRun(run, luhn));
}

/**
 * From each group on, as many groups as make the longest number: `12 4111111111111111` may be one of 18 digits, or
 * something and a card. At most 19 groups are looked at from each.
 *
 * @param {string} run
 * @param {boolean} luhn
 */
function maskRun(run, luhn) {
  const groups = run.split(/([ -])/); // digits at even places, what is between them at odd ones
  let masked = "";
  for (let at = 0; at < groups.length; ) {
    const end = longestNumber(groups, at, luhn);
    masked += end === null ? groups[at] : mask;
    at = (end ?? at) + 1;
    masked += groups[at] ?? "";
    at++;
  }
  return masked;
}

/**
 * @param {readonly string[]} groups
 * @param {number} start
 * @param {boolean} luhn
 * @returns {number | null} where the number's last group is
 */
function longestNumber(groups, start, luhn) {
  let digits = "";
  let longest = null;
  for (let at = start; at < groups.length; at += 2) {
    digits += groups[at];
    const count = [...digits].length;
    if (count > 19) break;
    if (count >= 13 && (!luhn || hasCheckDigit(digits))) longest = at;
  }
  return longest;
}

/**
 * Every second digit from the right counts double; the sum of all is a multiple of ten.
 *
 * @param {string} digits
 */
function hasCheckDigit(digits) {
  const values = [...digits].reverse().map(digitValue);
  const sum = values.reduce((total, value, at) => {
    const counted = at % 2 === 0 ? value : value * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}

/**
 * Unicode has its digits in blocks of ten, each from zero to nine: how many come before it in its block.
 *
 * @param {string} digit
 */
function digitValue(digit) {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
