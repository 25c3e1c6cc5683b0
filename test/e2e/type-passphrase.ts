import assert from "node:assert/strict";
import { endOf, onTerminal, type Place, until } from "./harness.ts";

/** Runs a command on a terminal and types an answer whenever it asks for a passphrase. */
export async function typed(place: Place, args: readonly string[], ...answers: readonly string[]) {
  const terminal = onTerminal(place, args);
  let printed = "";
  terminal.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = endOf(terminal);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  let asked = 0;
  for (const answer of answers) {
    asked++;
    await until(() => hasEnded || (printed.match(/(passphrase|once more)[^\n]*: /g) ?? []).length >= asked);
    terminal.stdin?.write(`${answer}\r`);
  }
  const { status } = await ended;
  for (const answer of answers) assert.ok(!printed.includes(answer), "a passphrase was shown");
  return { status, printed: printed.replaceAll("\r\n", "\n") };
}
