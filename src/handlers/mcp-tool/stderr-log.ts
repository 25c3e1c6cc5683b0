import type { Log } from "../../base/log.ts";
import { redact } from "../../base/redact.ts";
import { oneLine } from "../../base/show.ts";
import { LineReader } from "./line-reader.ts";
import { serverLimits } from "./server-spec.ts";

const maxLineChars = 1_000;

/** What a server says on standard error: logged line by line up to a limit, and its end kept for an error message. */
export class StderrLog {
  readonly #server: string;
  readonly #log: Log;
  #lines: LineReader | null;
  #roomBytes: number = serverLimits.loggedBytes;
  #tail = "";

  constructor(server: string, log: Log) {
    this.#server = server;
    this.#log = log;
    this.#lines = new LineReader(serverLimits.loggedBytes, (line) => this.#say(line));
  }

  add(chunk: Buffer): void {
    this.#tail = `${this.#tail}${chunk.toString("utf8", Math.max(0, chunk.length - 2 * serverLimits.tailChars))}`;
    this.#tail = this.#tail.slice(-serverLimits.tailChars);
    const { length } = chunk; // one that was taken whole may have none any more
    this.#lines?.add(chunk.subarray(0, this.#roomBytes));
    this.#roomBytes -= length;
    if (this.#roomBytes > 0 || this.#lines === null) return;
    this.#lines = null;
    this.#say("(more is not logged)");
  }

  tail(): string {
    return oneLine(this.#tail.trim());
  }

  #say(line: string): void {
    if (line.trim() === "") return;
    this.#log.info?.(`MCP server ${this.#server}: ${oneLine(String(redact(line)), maxLineChars)}`, {});
  }
}
