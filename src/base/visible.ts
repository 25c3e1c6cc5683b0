/**
 * One line of a text somebody is asked to approve. Whatever would steer a terminal, turn the reading order around or not
 * be seen at all is written as its code: `oneLine` puts a space there, and a line break that looks like a space hides
 * that a second command begins. Tabs stay, scripts are full of them.
 */
export function visible(line: string): string {
  return line.replaceAll(unseen, codeOf);
}

/** `\u{202e}` */
export function codeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Controls, formats (bidi, zero width), separators but the space, private, unassigned, half pairs; blanks that are letters. */
export const unseen =
  /(?!\t)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
