import type { Contestant } from "./contestants/contestant.ts";
import { cleanDescription, Denied, deniedCommand, seen, toolCall } from "./handlers.ts";

/** Throws unless all five handlers run, the rewrite reaches the result and the guard can deny. */
export async function verifyFive(contestant: Contestant): Promise<void> {
  const call = contestant.call?.(0) ?? toolCall(0);
  const expectedCharacters = call.session_id.length + cleanDescription.length + call.tool_name.length;
  const { command } = call.tool_input;
  seen.characters = 0;
  const result = contestant.read(await contestant.run(call), call);
  expect(contestant, "rewrites the description", result?.tool_input.description === cleanDescription);
  expect(contestant, "keeps the command", result?.tool_input.command === command);
  expect(contestant, "runs its readers, in order", seen.characters === expectedCharacters);
  expect(contestant, "denies what its guard refuses", await isDenying(contestant));
}

/** Throws unless the caller gets back what it sent. */
export async function verifyIdle(contestant: Contestant): Promise<void> {
  const call = toolCall(0);
  const result = contestant.read(await contestant.run(call), call);
  expect(contestant, "returns the call untouched", result === call);
}

async function isDenying(contestant: Contestant): Promise<boolean> {
  const call = toolCall(0, (contestant.call?.(0) ?? toolCall(0)).tool_name, deniedCommand);
  try {
    return contestant.read(await contestant.run(call), call) === null;
  } catch (error) {
    if (error instanceof Denied) return true;
    throw error;
  }
}

function expect(contestant: Contestant, what: string, holds: boolean): void {
  if (!holds) throw new Error(`"${contestant.name}" must not be timed: it was expected that it ${what}`);
}
