import { rm } from "node:fs/promises";
import { hashIdText } from "./port/batch-rows.ts";
import { InputFile } from "./input-file.ts";
import { OutputFile } from "./output-file.ts";
import { PieceReader, pieceLimits } from "./piece-reader.ts";

/** An id as JSON, and the line it is on. */
export interface FoundId {
  readonly line: number;
  readonly idText: string;
}

/** Files written at once; with more ids than fit into as many parts, parts are larger. */
const maxParts = 256;
/** Characters a part keeps until they are written: 4 MB for all of them. */
const charsPerWrite = 16 * 1024;

/** Ids in parts that fit into memory: all that are equal are in one, in the order they came. */
export class IdTexts {
  readonly #idFile: string;
  readonly #partCount: number;

  constructor(idFile: string, partCount: number) {
    this.#idFile = idFile;
    this.#partCount = Math.min(partCount, maxParts);
  }

  async *parts(ids: AsyncIterable<FoundId>): AsyncGenerator<AsyncIterable<FoundId>, void, undefined> {
    if (this.#partCount <= 1) {
      yield ids;
      return;
    }
    try {
      await this.#split(ids);
      for (let part = 0; part < this.#partCount; part++) yield readPart(this.#fileOf(part));
    } finally {
      for (let part = 0; part < this.#partCount; part++) await rm(this.#fileOf(part), { force: true });
    }
  }

  #fileOf(part: number): string {
    return `${this.#idFile}.text.${part}`;
  }

  async #split(ids: AsyncIterable<FoundId>): Promise<void> {
    const parts: { readonly output: OutputFile; text: string }[] = [];
    const write = async (part: (typeof parts)[number]) => {
      await part.output.append([Buffer.from(part.text)]);
      part.text = "";
    };
    try {
      for (let part = 0; part < this.#partCount; part++) {
        parts.push({ output: await OutputFile.open(this.#fileOf(part), 0), text: "" });
      }
      const hash = new Uint32Array(2);
      for await (const { line, idText } of ids) {
        hashIdText(idText, hash, 0);
        const part = parts[(hash[0] ?? 0) % this.#partCount];
        if (part === undefined) continue;
        part.text += `${line} ${idText}\n`;
        if (part.text.length >= charsPerWrite) await write(part);
      }
      for (const part of parts) await write(part);
    } finally {
      for (const { output } of parts) await output.close();
    }
  }
}

async function* readPart(path: string): AsyncGenerator<FoundId, void, undefined> {
  const input = await InputFile.open(path, false);
  try {
    // An id may be nearly as long as a line, and has its own line's number before it.
    const limits = { ...pieceLimits, lineBytes: 2 * pieceLimits.lineBytes };
    const reader = new PieceReader(input, { bytes: 0, lines: 0 }, [], limits);
    for (let piece = await reader.next(4_096); piece !== null; piece = await reader.next(4_096)) {
      const texts = piece.chunk?.lines.toString("utf8").split("\n") ?? [];
      reader.release(piece);
      for (const text of texts) {
        if (text === "") continue; // after the last newline
        const blank = text.indexOf(" ");
        yield { line: Number(text.slice(0, blank)), idText: text.slice(blank + 1) };
      }
    }
  } finally {
    await input.close();
  }
}
