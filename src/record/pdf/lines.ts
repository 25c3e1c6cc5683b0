import { cut } from "../../base/show.ts";
import type { Fonts } from "./fonts.ts";
import { type Letter, lettersOf } from "./letters.ts";
import { type Run, runsOf } from "./runs.ts";

export interface TextStyle {
  readonly size: number;
  readonly isBold?: boolean;
  /** No line is longer than this, in points. */
  readonly width: number;
  /** Of a longer text the first lines are printed, and how much is missing. */
  readonly maxLines?: number;
}

/** A line as it stands on the page, from left to right. */
export type Line = readonly Run[];

/** More than fills a page, and little enough that a text of a gigabyte costs no more than one of a page. */
const maxChars = 8_192;

/** Breaks a text into lines: between words, and inside one that is longer than a line. */
export function linesOf(text: string, fonts: Fonts, style: TextStyle): readonly Line[] {
  const { size, width, isBold = false, maxLines = Number.POSITIVE_INFINITY } = style;
  const shown = cut(text, maxChars);
  const limit = (width * 1_000) / size;
  const lines: Line[] = [];
  let line: Letter[] = [];
  let lineWidth = 0;
  let wordEnd = 0; // letters of this line that may stand by themselves
  let partEnd = 0; // the same, if a word is broken
  let printed = shown.length;
  const finish = (count: number): void => {
    lines.push(runsOf(line.slice(0, count)));
    line = line.slice(count);
    lineWidth = line.reduce((sum, letter) => sum + letter.width, 0);
    wordEnd = 0;
    partEnd = 0;
  };
  for (const letter of lettersOf(shown, fonts, isBold)) {
    if (lineWidth + letter.width > limit && line.length > 0 && letter.text !== " ") {
      // `0.15`, `13:03` and `pr_0mw…` are read as one: they are broken only where a line has no room for them.
      finish(wordEnd || partEnd || line.length);
      if (lines.length === maxLines) {
        printed = line[0]?.at ?? letter.at;
        line = [];
        break;
      }
    }
    line.push(letter);
    lineWidth += letter.width;
    if (letter.breakAfter === "word") wordEnd = line.length;
    else if (letter.breakAfter === "part") partEnd = line.length;
  }
  if (line.length > 0) finish(line.length);
  const missing = text.length - printed;
  if (missing > 0) lines.push(noteOf(missing, fonts));
  return lines;
}

function noteOf(missing: number, fonts: Fonts): Line {
  const note = `… (${missing.toLocaleString("en-US")} more characters)`;
  const letters = [...lettersOf(note, fonts)];
  return runsOf(letters.map((letter) => ({ ...letter, isCode: true })));
}
