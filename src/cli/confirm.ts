import { createInterface } from "node:readline/promises";
import { type CommandInput, usage } from "./command.ts";
import { printable, printError } from "./print.ts";

export const yesFlag = { yes: { short: "y", doc: "do not ask" } };

/** Shows on stderr what would be done, and asks; a program that cannot be asked has to say --yes. */
export async function confirm(
  command: string,
  { flags, isJson }: CommandInput,
  shown: string,
  question: string,
  /** What Enter alone means. */
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  if (flags.has("yes")) return true;
  printError(shown);
  if (isJson || process.stdin.isTTY !== true)
    throw usage(command, "there is nobody to ask: add --yes to do what is shown above");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(printable(`${question} ${usual === "yes" ? "[Y/n]" : "[y/N]"} `));
  terminal.close();
  return answer.trim() === "" ? usual === "yes" : /^y(es)?$/i.test(answer.trim());
}
