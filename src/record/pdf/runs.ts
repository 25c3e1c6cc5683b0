import type { Face } from "./fonts.ts";
import type { Letter } from "./letters.ts";
import { type Bidi, pdfPackage } from "./pdf-library.ts";

/** Letters of one font that stand side by side, from left to right. */
export interface Run {
  readonly face: Face;
  readonly isCode: boolean;
  /** Glyphs with where each is, in thousandths of the size from the run's left end. */
  readonly glyphs: string;
  readonly placed: readonly PlacedGlyph[] | null;
  readonly width: number;
}

export interface PlacedGlyph {
  readonly hex: string;
  readonly x: number;
  readonly y: number;
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Letters change with their neighbours, or carry marks: they are laid out together. */
const joined = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{M}]/u;
let known: Bidi | null = null;
/** Made once: it unpacks its tables. */
function bidi(): Bidi {
  known ??= pdfPackage().bidi;
  return known;
}

/** The letters of one line as they stand on paper: text from right to left is turned around, as Unicode says (UAX 9). */
export function runsOf(letters: readonly Letter[]): readonly Run[] {
  const text = letters.map((letter) => letter.text).join("");
  if (!rightToLeft.test(text)) return group(letters, () => 0).map(({ part }) => leftToRight(part));
  const { levels } = bidi().getEmbeddingLevels(text, "ltr");
  let at = 0;
  const levelOf = new Map(
    letters.map((letter) => {
      const level = levels[at] ?? 0;
      at += letter.text.length;
      return [letter, level];
    }),
  );
  return reordered(group(letters, (letter) => levelOf.get(letter) ?? 0)).map(({ part, level }) =>
    level % 2 === 0 ? leftToRight(part) : turned(part),
  );
}

interface Part {
  readonly part: readonly Letter[];
  readonly level: number;
}

function group(letters: readonly Letter[], levelOf: (letter: Letter) => number): Part[] {
  const parts: { part: Letter[]; level: number }[] = [];
  for (const letter of letters) {
    const level = levelOf(letter);
    const last = parts.at(-1);
    const [first] = last?.part ?? [];
    if (last?.level === level && first?.face === letter.face && first.isCode === letter.isCode)
      last.part.push(letter);
    else parts.push({ part: [letter], level });
  }
  return parts;
}

/** From the highest level to the lowest odd one, every stretch of that level or more is reversed (rule L2). */
function reordered(parts: readonly Part[]): readonly Part[] {
  const order = [...parts];
  for (let level = Math.max(...order.map((part) => part.level)); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to++;
      order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return order;
}

function leftToRight(part: readonly Letter[]): Run {
  const text = part.map((letter) => letter.text).join("");
  if (joined.test(text)) return shaped(part, text);
  return plain(part);
}

function turned(part: readonly Letter[]): Run {
  const text = part.map((letter) => letter.text).join("");
  if (joined.test(text)) return shaped(part, text);
  const mirrored = part.map((letter) => {
    const mirror = bidi().getMirroredCharacter(letter.text) ?? letter.text;
    return mirror === letter.text ? letter : { ...letter, text: mirror };
  });
  return plain(mirrored.reverse());
}

function plain(part: readonly Letter[]): Run {
  const { face, isCode } = part[0] as Letter;
  let width = 0;
  let glyphs = "";
  for (const letter of part) {
    glyphs += face.glyph(letter.text).hex;
    width += letter.width;
  }
  return { face, isCode, glyphs, placed: null, width };
}

function shaped(part: readonly Letter[], text: string): Run {
  const { face, isCode } = part[0] as Letter;
  const { glyphs, positions } = face.shape(text);
  let x = 0;
  const placed = glyphs.map((hex, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const glyph = { hex, x: x + xOffset, y: yOffset };
    x += xAdvance;
    return glyph;
  });
  return { face, isCode, glyphs: "", placed, width: x };
}
