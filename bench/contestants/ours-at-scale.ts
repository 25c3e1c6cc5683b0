import { createHooks } from "../../src/index.ts";
import { toolCall } from "../handlers.ts";
import type { Contestant } from "./contestant.ts";
import { emitting, ours, registerFive } from "./ours.ts";

const options = { validate: false };

export function fiveAlone(): Contestant {
  return ours("the five hooks alone", "sync", options);
}

/** As many hooks on the same event, for tools that are never called, half of them before the five and half after. */
export function fiveAmong(others: number): Contestant {
  const hooks = createHooks(options);
  registerFive(hooks, "sync");
  for (let index = 0; index < others; index++) {
    const priority = index % 2 === 0 ? 1_000 : -1_000;
    hooks.on("tool.before", { match: `mcp__server__tool_${index}`, priority }, () => undefined);
  }
  return emitting(`${others.toLocaleString("en")} hooks for other tools`, "sync", hooks);
}

/** More names than the 512 plans that one generation of the engine's cache holds: names come from the caller. */
export function manyNames(count: number): Contestant {
  const names = Array.from({ length: count }, (_, index) => `Bash_${index}`);
  return withNames(`${count} tool names in turn`, names);
}

export function steadyName(): Contestant {
  return withNames("one tool name", ["Bash_0"]);
}

function withNames(name: string, toolNames: readonly string[]): Contestant {
  const hooks = createHooks(options);
  // The usual five, by globs that match all the names, so that both sides call the same handlers.
  registerFive(hooks, "sync", "Bash_*");
  return {
    ...emitting(name, "sync", hooks),
    call: (index) => toolCall(index, toolNames[index % toolNames.length]),
  };
}
