import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { SwarmError } from "../../base/errors.ts";

/** As much of pdfkit as is used here; the types that others publish for it leave out what text of our own making needs. */
export interface PdfReference {
  readonly data: Record<string, unknown>;
  write(chunk: string): void;
  end(chunk?: string): void;
}

export interface GlyphPosition {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface PdfFont {
  readonly id: string;
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
  /** Four hexadecimal digits a glyph, and where each goes, in thousandths of the size. */
  encode(
    text: string,
    features?: Readonly<Record<string, boolean>>,
  ): [glyphs: string[], positions: GlyphPosition[]];
  ref(): PdfReference;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  readonly fonts: Record<string, PdfReference>;
  readonly xobjects: Record<string, PdfReference>;
}

export interface PdfOutline {
  addItem(title: string): PdfOutline;
}

export interface PdfOptions {
  readonly size: string;
  readonly margin: number;
  readonly autoFirstPage: boolean;
  /** False: it remembers no text. With it, memory grows with every word that is written. */
  readonly fontLayoutCache: boolean;
  readonly pdfVersion: string;
  readonly lang: string;
  readonly displayTitle: boolean;
  readonly info: Readonly<Record<string, string | Date>>;
}

export interface PdfDocument extends Readable {
  readonly page: PdfPage;
  readonly outline: PdfOutline;
  /** The one in use. */
  readonly _font: PdfFont;
  addPage(): this;
  font(source: Uint8Array, family?: string): this;
  ref(data: Record<string, unknown>): PdfReference;
  addContent(operators: string): this;
  rect(x: number, y: number, width: number, height: number): this;
  moveTo(x: number, y: number): this;
  lineTo(x: number, y: number): this;
  lineWidth(width: number): this;
  fill(color: string): this;
  stroke(color: string): this;
  end(): void;
}

/** The part of `bidi-js` that is used. */
export interface Bidi {
  getEmbeddingLevels(text: string, direction: "ltr"): { readonly levels: Uint8Array };
  getMirroredCharacter(character: string): string | null;
}

/** What `packages/pdf` exports. */
interface PdfPackage {
  readonly Document: new (options: PdfOptions) => PdfDocument;
  readonly bidi: Bidi;
  /** Files. */
  readonly fonts: Readonly<Record<"regular" | "bold" | "wide", string>>;
}

const packageName = "@swarm-hooks/pdf";
const require = createRequire(import.meta.url);

/** Whether the package that documents are written with is installed; loads none of it. */
export function hasPdfPackage(): boolean {
  try {
    require.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

export function checkPdfPackage(): void {
  if (!hasPdfPackage()) throw new SwarmError("SWARM_PDF_PACKAGE_MISSING", {});
}

/** An optional package, loaded when a document is made and by nothing else. */
export function pdfPackage(): PdfPackage {
  checkPdfPackage();
  return require(packageName) as PdfPackage;
}

export function openDocument(options: PdfOptions): PdfDocument {
  return new (pdfPackage().Document)(options);
}
