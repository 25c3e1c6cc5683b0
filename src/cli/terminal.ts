import { closeSync, openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { SwarmError } from "../base/errors.ts";

/**
 * The terminal the command was started on, whatever stdin and stdout are. A command that needs a passphrase asks there or
 * fails: no pipe, argument or variable ever holds one.
 */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: number;

  constructor(command: string) {
    try {
      this.#output = openSync("/dev/tty", "w");
      this.#input = new ReadStream(openSync("/dev/tty", "r"));
    } catch (error) {
      throw new SwarmError("SWARM_APPROVER_TERMINAL", { command }, { cause: error });
    }
  }

  print(text: string): void {
    writeSync(this.#output, text);
  }

  /** Asks for a line and shows nothing of it. */
  async askHidden(question: string): Promise<string> {
    this.#input.setRawMode(true);
    this.print(question);
    try {
      return await this.#readLine();
    } finally {
      this.#input.setRawMode(false);
      this.print("\n");
    }
  }

  close(): void {
    this.#input.destroy();
    closeSync(this.#output);
  }

  /** In raw mode the keys that edit a line, or end the program, are ours to understand. */
  #readLine(): Promise<string> {
    return new Promise((resolve, reject) => {
      let typed: string[] = [];
      const decoder = new TextDecoder();
      const end = (work: () => void): void => {
        this.#input.off("data", onData);
        this.#input.pause();
        work();
      };
      const onData = (chunk: Buffer): void => {
        for (const key of decoder.decode(chunk, { stream: true })) {
          if (key === "\r" || key === "\n") {
            end(() => resolve(typed.join("")));
            break;
          }
          if (key === "\u0003" || key === "\u0004") {
            end(() =>
              reject(new SwarmError("SWARM_USAGE", { problem: "cancelled", hint: "nothing was done" })),
            );
            break;
          }
          if (key === "\u007f" || key === "\b") typed = typed.slice(0, -1);
          else if (key === "\u0015") typed = [];
          else typed.push(key);
        }
      };
      this.#input.on("data", onData);
      this.#input.resume();
    });
  }
}
