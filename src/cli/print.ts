import { terminalText } from "../base/terminal-text.ts";

/** The one way of a command to a terminal: whatever a text holds, it does not steer it (colours of ours do). */
export function printable(text: string): string {
  return terminalText(text, process.stdout.isTTY === true);
}

export function printError(text: string): void {
  process.stderr.write(printable(text));
}
