import { type Line, linesOf } from "./lines.ts";
import { type Color, margin, type Sheet } from "./sheet.ts";

export interface Column {
  readonly title: string;
  /** Its part of the width; all of a table add up to 1. */
  readonly share: number;
  readonly isRight?: boolean;
}

export interface Cell {
  /** Several stand below one another; a line break within one is no break but a code. */
  readonly text: string | readonly string[];
  readonly color?: Color;
  readonly isBold?: boolean;
}

const size = 7.5;
const lineHeight = size * 1.4;
const padX = 4;
const padY = 2.6;
/** A row is never taller than this many lines, so that it always fits on a page. */
const maxLines = 12;

/** A table of any length: its head stands on every page, and no row is broken apart. */
export class Table {
  readonly #sheet: Sheet;
  readonly #columns: readonly Column[];
  #page = 0;
  #isShaded = false;

  constructor(sheet: Sheet, columns: readonly Column[]) {
    this.#sheet = sheet;
    this.#columns = columns;
  }

  row(cells: readonly (Cell | Cell["text"])[]): void {
    const sheet = this.#sheet;
    const laid = this.#columns.map((column, index) => this.#lay(column, cells[index] ?? ""));
    const height = heightOf(laid.map(({ lines }) => lines));
    if (this.#page === 0) sheet.ensure(height + heightOf([[]]) + 2 * lineHeight);
    else sheet.ensure(height);
    if (this.#page !== sheet.pages) this.#head();
    if (this.#isShaded) sheet.box(margin, sheet.y, sheet.width, height, "shade");
    this.#isShaded = !this.#isShaded;
    this.#draw(laid);
    sheet.y += height;
  }

  end(): void {
    if (this.#page === this.#sheet.pages) this.#sheet.rule(this.#sheet.y);
    this.#sheet.y += 10;
  }

  #head(): void {
    const sheet = this.#sheet;
    const laid = this.#columns.map((column) =>
      this.#lay(column, { text: column.title, isBold: true, color: "quiet" }),
    );
    this.#draw(laid);
    sheet.y += heightOf(laid.map(({ lines }) => lines));
    sheet.rule(sheet.y, "quiet");
    this.#page = sheet.pages;
    this.#isShaded = false;
  }

  #lay({ share, isRight = false }: Column, given: Cell | Cell["text"]): Laid {
    const { text, color = "ink", isBold = false } = isCell(given) ? given : { text: given };
    const width = this.#sheet.width * share - 2 * padX;
    const texts = typeof text === "string" ? [text] : text;
    const laid = (most: number) =>
      texts.flatMap((one) => linesOf(one, this.#sheet.fonts, { size, width, isBold, maxLines: most }));
    const whole = laid(maxLines);
    // Only where they are too many together does each get the same part of the lines there are.
    const lines = whole.length <= maxLines ? whole : laid(Math.max(3, Math.floor(maxLines / texts.length)));
    return { lines, width, color, isRight };
  }

  #draw(laid: readonly Laid[]): void {
    const sheet = this.#sheet;
    let x = margin;
    for (const { lines, width, color, isRight } of laid) {
      const y = sheet.y + padY - 1;
      if (!isRight) sheet.draw(lines, x + padX, y, size, color);
      else
        for (const [index, line] of lines.entries())
          sheet.draw([line], x + padX + width - widthOf(line), y + index * lineHeight, size, color);
      x += width + 2 * padX;
    }
  }
}

function isCell(given: Cell | Cell["text"]): given is Cell {
  return typeof given === "object" && "text" in given;
}

interface Laid {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly color: Color;
  readonly isRight: boolean;
}

function heightOf(cells: readonly (readonly Line[])[]): number {
  return Math.max(1, ...cells.map((lines) => lines.length)) * lineHeight + 2 * padY;
}

function widthOf(line: Line): number {
  return (line.reduce((sum, run) => sum + run.width, 0) * size) / 1_000;
}
