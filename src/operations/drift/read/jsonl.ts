import { parseJson } from "../../../base/parse-json.ts";
import type { RowReader, RowSink } from "./row-reader.ts";

/** One JSON value on each line; empty lines are none. */
export class JsonlReader implements RowReader {
  readonly #sink: RowSink;
  #text = "";

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  get pendingChars(): number {
    return this.#text.length;
  }

  push(text: string): void {
    // What is there already holds no end of a line.
    const pending = this.#text.length;
    this.#text += text;
    let at = 0;
    for (let end = this.#text.indexOf("\n", pending); end !== -1; end = this.#text.indexOf("\n", at)) {
      this.#line(this.#text.slice(at, end));
      at = end + 1;
    }
    this.#text = this.#text.slice(at);
  }

  end(): void {
    this.#line(this.#text);
    this.#text = "";
  }

  #line(line: string): void {
    if (line === "" || line.trim() === "") return;
    let value: unknown;
    try {
      value = parseJson(line);
    } catch (error) {
      this.#sink.unread(`a line is not JSON: ${(error as Error).message}`);
      return;
    }
    this.#sink.record(value);
  }
}
