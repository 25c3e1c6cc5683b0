import type { Fonts } from "./fonts.ts";
import { type Line, linesOf, type TextStyle } from "./lines.ts";
import type { PdfDocument, PdfReference } from "./pdf-library.ts";

/** Points. */
export const margin = 42;
const headHeight = 26;
const footHeight = 24;

export const colors = {
  ink: "#1a1f27",
  quiet: "#5b6472",
  line: "#d5dae1",
  shade: "#f1f3f6",
  accent: "#1f5fa8",
  good: "#2d7d46",
  bad: "#b3261e",
  warn: "#9a6700",
  /** What stands for something that is not shown as it is. */
  code: "#9c4221",
} as const;
export type Color = keyof typeof colors;

export interface SheetTexts {
  /** At the head of every page. */
  readonly title: string;
  /** At the foot of every page. */
  readonly foot: string;
}

/**
 * Pages that are written from top to bottom, each gone when the next begins. How many there will be is not known on the
 * first one: the number is a small drawing that all pages refer to, written at the end.
 */
export class Sheet {
  readonly document: PdfDocument;
  readonly fonts: Fonts;
  /** How far down the page is written, in points. */
  y = 0;
  pages = 0;
  readonly #texts: SheetTexts;
  readonly #total: PdfReference;
  readonly #totalSize = 7;

  constructor(document: PdfDocument, fonts: Fonts, texts: SheetTexts) {
    this.document = document;
    this.fonts = fonts;
    this.#texts = texts;
    this.#total = document.ref({ Type: "XObject", Subtype: "Form", BBox: [0, -4, 60, 10] });
    this.addPage();
  }

  get width(): number {
    return this.document.page.width - 2 * margin;
  }

  get bottom(): number {
    return this.document.page.height - margin - footHeight;
  }

  addPage(): void {
    this.document.addPage();
    this.pages++;
    this.y = margin;
    const { width } = this;
    const style = { size: this.#totalSize, width: width * 0.7, maxLines: 1 };
    this.write(this.#texts.title, margin, this.y, { ...style, color: "quiet" });
    this.rule(margin + 14);
    const footY = this.document.page.height - margin - 8;
    this.rule(footY - 6);
    this.write(this.#texts.foot, margin, footY, { ...style, color: "quiet" });
    this.#numberPage(footY);
    this.y = margin + headHeight;
  }

  /** Begins a new page unless there is room for this much. */
  ensure(height: number): void {
    if (this.y + height > this.bottom) this.addPage();
  }

  /** With an entry in the outline. */
  heading(text: string): void {
    this.ensure(120);
    this.y += 10;
    this.document.outline.addItem(text);
    this.y += this.write(text, margin, this.y, {
      size: 15,
      isBold: true,
      width: this.width,
      color: "accent",
    });
    this.y += 6;
  }

  subheading(text: string): void {
    this.ensure(90);
    this.y += 8;
    this.y += this.write(text, margin, this.y, { size: 10.5, isBold: true, width: this.width });
    this.y += 4;
  }

  paragraph(text: string, given: { size?: number; color?: Color; isBold?: boolean } = {}): void {
    const { size = 9, color = "ink", isBold = false } = given;
    const lines = linesOf(text, this.fonts, { size, width: this.width, isBold });
    for (const line of lines) {
      this.ensure(size * 1.4);
      this.draw([line], margin, this.y, size, color);
      this.y += size * 1.4;
    }
    this.y += 4;
  }

  /** Tells how high it was. */
  write(text: string, x: number, y: number, style: TextStyle & { readonly color?: Color }): number {
    const lines = linesOf(text, this.fonts, style);
    this.draw(lines, x, y, style.size, style.color ?? "ink");
    return lines.length * style.size * 1.4;
  }

  /** Lines from `y` down. */
  draw(lines: readonly Line[], x: number, y: number, size: number, color: Color): void {
    let baseline = y + size;
    for (const line of lines) {
      let left = x;
      for (const run of line) {
        this.document.page.fonts[run.face.font.id] ??= run.face.font.ref();
        const begun = `${fillOf(run.isCode ? "code" : color)} BT /${run.face.font.id} ${size} Tf`;
        // Pages count from the top, so that letters are turned the right way up again.
        const shown =
          run.placed === null
            ? `1 0 0 -1 ${round(left)} ${round(baseline)} Tm <${run.glyphs}> Tj`
            : run.placed
                .map(({ hex, x: atX, y: atY }) => {
                  const [gx, gy] = [left + (atX * size) / 1_000, baseline - (atY * size) / 1_000];
                  return `1 0 0 -1 ${round(gx)} ${round(gy)} Tm <${hex}> Tj`;
                })
                .join(" ");
        this.document.addContent(`${begun} ${shown} ET`);
        left += (run.width * size) / 1_000;
      }
      baseline += size * 1.4;
    }
  }

  rule(y: number, color: Color = "line"): void {
    this.document
      .moveTo(margin, y)
      .lineTo(margin + this.width, y)
      .lineWidth(0.5)
      .stroke(colors[color]);
  }

  box(x: number, y: number, width: number, height: number, color: Color): void {
    this.document.rect(x, y, width, height).fill(colors[color]);
  }

  /** The last page is written, and with it how many there are. */
  end(): void {
    const face = this.fonts.regular;
    const glyphs = [...` ${this.pages}`].map((digit) => face.glyph(digit).hex).join("");
    this.#total.data.Resources = { Font: { [face.font.id]: face.font.ref() } };
    this.#total.end(`${fillOf("quiet")} BT /${face.font.id} ${this.#totalSize} Tf 0 0 Td <${glyphs}> Tj ET`);
    this.document.end();
  }

  #numberPage(y: number): void {
    const size = this.#totalSize;
    const text = `page ${this.pages} of`;
    const x = margin + this.width - this.fonts.regular.widthOf(`${text}00000`, size);
    this.write(text, x, y, { size, width: 100, color: "quiet" });
    this.document.page.xobjects.Total = this.#total;
    const left = x + this.fonts.regular.widthOf(text, size);
    this.document.addContent(`q 1 0 0 -1 ${round(left)} ${round(y + size)} cm /Total Do Q`);
  }
}

function fillOf(color: Color): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colors[color].slice(at, at + 2), 16));
  return `${share(red)} ${share(green)} ${share(blue)} rg`;
}

function share(value = 0): string {
  return round(value / 255);
}

function round(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}
