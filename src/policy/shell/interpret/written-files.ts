import { resolve } from "node:path/posix";
import { copiedFiles, type ShellCommand } from "../command.ts";
import { outputOf } from "./output.ts";

/** What a line itself has put into files: a later command of it may run them. */
export class WrittenFiles {
  readonly #texts = new Map<string, string | null>();

  /** Undefined when the line has written none there, null when what is in it is not known. */
  get(cwd: string | null, file: string): string | null | undefined {
    return this.#texts.get(fileIn(cwd, file));
  }

  /** In place of what was there. */
  set(cwd: string | null, file: string, text: string | null): void {
    this.#texts.set(fileIn(cwd, file), text);
  }

  /** What a command leaves in files, of what it prints and reads. */
  note(command: ShellCommand, printed: string | null): void {
    const { program, args, cwd, redirects, stdin } = command;
    for (const { operator, target } of redirects) {
      if (operator.includes(">") && operator !== ">&") this.#add(cwd, target, printed);
    }
    if (program === "tee" || program === "sponge") for (const file of args) this.#add(cwd, file, stdin);
    if (program === "dd") {
      for (const arg of args) if (arg.startsWith("of=")) this.#add(cwd, arg.slice(3), stdin);
    }
    for (const { from, to } of copiedFiles(command)) {
      const copied = this.get(cwd, from);
      if (copied !== undefined) this.#add(cwd, to, copied);
    }
  }

  /** What a command prints; of files, if the line itself has written them. */
  printedBy(command: ShellCommand): string | null {
    const { program, args, cwd, stdin } = command;
    const files = args.filter((arg) => arg === "-" || !arg.startsWith("-"));
    if (program !== "cat" || files.length === 0) return outputOf(command);
    const texts = files.map((file) => (file === "-" ? stdin : (this.get(cwd, file) ?? null)));
    return texts.every((text) => text !== null) ? texts.join("") : null;
  }

  /** What is written twice may hold either, or both. */
  #add(cwd: string | null, file: string, text: string | null): void {
    this.set(cwd, file, this.get(cwd, file) === undefined ? text : null);
  }
}

function fileIn(cwd: string | null, file: string): string {
  return resolve(cwd ?? "/", file);
}
