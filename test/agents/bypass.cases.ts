import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { adapters } from "../../src/agents/adapters/index.ts";
import type { HookBypass } from "../../src/agents/port/adapter.ts";
import { programOf, type RealAgent } from "./install-agents.ts";
import type { Person } from "./person.ts";

/** What the pages of the agents say does without our hooks does: the agent is verified in a program that adds it to each start. */
export function bypassCases(agent: RealAgent, person: Person): void {
  for (const bypass of adapters[agent].bypasses.filter(({ evidence }) => evidence === "run")) {
    test(`${bypass.example} does without our hooks`, () => {
      const program = join(person.home, "started-with-a-bypass");
      writeFileSync(program, startWith(bypass, person.program(agent)), { mode: 0o700 });
      const { reports } = person.with({ [programOf(agent).programVariable]: program }).verify(agent);
      assert.equal(reports[0]?.calls.shell, "INERT", JSON.stringify(reports[0]?.checks, null, 2));
      assert.ok(reports[0]?.not_seen.includes(bypass.example));
    });
  }
}

/** The example is as a user writes it, quotes and all. */
function startWith({ kind, example }: HookBypass, program: string): string {
  const [before, after] = kind === "variable" ? [`env ${example}`, ""] : ["", example];
  // A program is asked for its version with no flag beside it.
  return `#!/bin/sh\n[ "$1" = --version ] && exec ${program} --version\nexec ${before} ${program} "$@" ${after}\n`;
}
