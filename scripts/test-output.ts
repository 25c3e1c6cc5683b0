import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

const summary = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;
const isOver = /^[✔✖﹣] /;

/** What tests print, a suite at a time, also when several processes print at once. What has failed is kept for the end. */
export class TestOutput extends Writable {
  readonly #print: (text: string) => void;
  #line = "";
  #block = "";
  #isAboutFailures = false;
  /** The failed tests again, with what they were about. */
  failures = "";

  constructor(print: (text: string) => void) {
    super({ decodeStrings: false, defaultEncoding: "utf8" });
    this.#print = print;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const lines = (this.#line + String(chunk)).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#add(line);
    done();
  }

  override _final(done: () => void): void {
    if (this.#line !== "") this.#add(this.#line);
    if (this.#block.trim() !== "") this.#print(this.#block);
    done();
  }

  #add(line: string): void {
    const plain = stripVTControlCharacters(line);
    if (summary.test(plain)) return;
    if (this.#isAboutFailures) {
      this.failures += `${line}\n`;
      return;
    }
    if (plain === "✖ failing tests:") {
      this.#isAboutFailures = true;
      return;
    }
    this.#block += `${line}\n`;
    if (!isOver.test(plain)) return;
    this.#print(this.#block);
    this.#block = "";
  }
}
