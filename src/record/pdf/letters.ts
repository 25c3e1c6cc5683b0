import { codeOf, unseen } from "../../base/visible.ts";
import type { BreakAfter, Face, Fonts, Look } from "./fonts.ts";

/** A letter with the marks on it, or a code that stands for something that cannot be shown. */
export interface Letter {
  readonly text: string;
  readonly face: Face;
  /** In thousandths of the size. */
  readonly width: number;
  /** It stands for what is not shown as it is, and is printed in another colour. */
  readonly isCode: boolean;
  readonly breakAfter: BreakAfter;
  /** Where it stands in the text it came from. */
  readonly at: number;
}

/** A letter may carry this many marks; more pile up over the lines around it. */
const maxMarks = 3;
const parts = /\p{M}+|\P{M}/gu;
const lineBreak = "\n";
/** A word that is longer than a line is broken after these; a line may end anywhere between letters of scripts that have no spaces. */
const breaking = /[/\\\-_.,;:=&?!|)\]}>@+]/;
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/u;
const unseenHere = new RegExp(unseen.source, "u"); // without "g" it keeps no place between texts

/**
 * A text as letters that can be printed. Whatever steers, hides or turns the reading order around becomes its code,
 * and so does what no font has: nothing is shown as an empty box, and nothing is left out.
 */
export function* lettersOf(text: string, fonts: Fonts, isBold = false): Generator<Letter> {
  const main = isBold ? fonts.bold : fonts.regular;
  let held = null as Letter | null; // one letter is held back, so that marks that follow it come with it
  for (const { 0: part, index: at } of text.matchAll(parts)) {
    const isMarks = /^\p{M}/u.test(part);
    if (isMarks && held !== null && part.length <= maxMarks && has(held.face, part)) {
      const marked: string = `${held.text}${part}`.normalize("NFC");
      held = { ...held, text: marked, width: held.face.glyph(marked).width };
      continue;
    }
    if (held !== null) yield held;
    const look = isMarks ? null : lookOf(part, main, fonts.wide);
    held = look === null ? null : { ...look, text: part, isCode: false, at };
    if (look === null) yield* codeLetters(shownAs(part), main, at);
  }
  if (held !== null) yield held;
}

/** Null: it cannot be shown as it is. Found out once for each letter there is. */
function lookOf(letter: string, main: Face, wide: Face): Look | null {
  const known = main.looks.get(letter);
  if (known !== undefined) return known;
  const face =
    letter === "\t" || unseenHere.test(letter) ? undefined : [main, wide].find((one) => has(one, letter));
  const breakAfter = breakOf(letter);
  const look = face === undefined ? null : { face, breakAfter, width: face.glyph(letter).width };
  main.looks.set(letter, look);
  return look;
}

function breakOf(letter: string): BreakAfter {
  if (/\s/.test(letter) || spaceless.test(letter)) return "word";
  return breaking.test(letter) ? "part" : null;
}

/** Letters that form a code, which is not broken apart in the middle where it can be helped. */
function* codeLetters(code: string, face: Face, at: number): Generator<Letter> {
  const last = code.length - 1;
  for (const [index, letter] of [...code].entries())
    yield {
      text: letter,
      face,
      width: face.glyph(letter).width,
      isCode: true,
      breakAfter: index === last ? "part" : null,
      at,
    };
}

function shownAs(part: string): string {
  if (part === lineBreak) return "↵";
  if (part === "\t") return "→";
  const marks = [...part];
  return marks.length > maxMarks + 1 ? `(${marks.length} marks)` : marks.map(codeOf).join("");
}

function has(face: Face, text: string): boolean {
  for (const letter of text) if (!face.has(letter.codePointAt(0) ?? 0)) return false;
  return true;
}
