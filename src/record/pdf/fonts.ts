import { readFileSync } from "node:fs";
import { openTypeOf } from "./open-type.ts";
import { type GlyphPosition, type PdfDocument, type PdfFont, pdfPackage } from "./pdf-library.ts";

export interface Fonts {
  readonly regular: Face;
  readonly bold: Face;
  /** For what DejaVu has no letters for: Chinese, Japanese, Korean and every other script of the basic plane. */
  readonly wide: Face;
}

/** The fonts, embedded with no more than the letters that are used. */
export function openFonts(document: PdfDocument): Fonts {
  const open = (file: string): Face => {
    document.font(openTypeOf(readFileSync(file)));
    return new Face(document._font);
  };
  const { regular, bold, wide } = pdfPackage().fonts;
  return { regular: open(regular), bold: open(bold), wide: open(wide) };
}

export interface Glyph {
  readonly hex: string;
  /** In thousandths of the size. */
  readonly width: number;
}

/** Whether a line may end after a letter: always, or only where its word is longer than a line. */
export type BreakAfter = "word" | "part" | null;

/** How a letter is shown. */
export interface Look {
  readonly face: Face;
  readonly breakAfter: BreakAfter;
  readonly width: number;
}

/** Letters go by themselves: only scripts that join need to be laid out together, and only the first time costs a millisecond. */
const unjoined = { kern: false, liga: false, clig: false, calt: false } as const;

export class Face {
  readonly font: PdfFont;
  /** As many as the font has letters, at most. */
  readonly #glyphs = new Map<string, Glyph>();

  /** Of letters met where this is the main font; null for those that cannot be shown as they are. */
  readonly looks = new Map<string, Look | null>();

  constructor(font: PdfFont) {
    this.font = font;
  }

  has(codePoint: number): boolean {
    return this.font.font.hasGlyphForCodePoint(codePoint);
  }

  glyph(letter: string): Glyph {
    const known = this.#glyphs.get(letter);
    if (known !== undefined) return known;
    const { glyphs, positions } = this.shape(letter);
    const width = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    const made = { hex: glyphs.join(""), width };
    // One letter with marks on it is no letter of the font: there is no end of those.
    if (glyphs.length === 1) this.#glyphs.set(letter, made);
    return made;
  }

  /** Letters that join, and marks on letters; from right to left where their script is. */
  shape(text: string): { readonly glyphs: readonly string[]; readonly positions: readonly GlyphPosition[] } {
    const [glyphs, positions] = this.font.encode(text, unjoined);
    return { glyphs, positions };
  }

  widthOf(text: string, size: number): number {
    let width = 0;
    for (const letter of text) width += this.glyph(letter).width;
    return (width * size) / 1_000;
  }
}
