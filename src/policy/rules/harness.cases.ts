import { type Action, readTool } from "./action.ts";
import { compilePolicy } from "./compile-policy.ts";
import type { Place } from "./detect/place.ts";
import type { Judgement, Policy } from "./policy.ts";
import { testNames } from "./policy-tests.ts";
import type { Rule } from "./rule.ts";

/** A project in /srv/project of a user in /home/user, where no path is a link. */
export const place: Place = {
  cwd: "/srv/project",
  root: "/srv/project",
  home: testNames.home,
  realPath: (path) => path,
  isFolder: () => false,
  installedFiles: () => [],
  readText: () => null,
};

/** A rule that denies always, unless said otherwise; its id is r. */
export function rule(given: Partial<Rule> = {}): Rule {
  return { id: "r", when: {}, behaviour: "deny", reason: null, priority: 0, ...given };
}

export function policyOf(...rules: readonly Partial<Rule>[]): Policy {
  return compilePolicy(
    rules.map((given, at) => rule({ id: `r${at + 1}`, ...given })),
    testNames,
  );
}

export function toolCall(name: string, input: object = {}, given: Partial<Action> = {}): Action {
  const read = readTool(name, input as Action["input"]);
  const isTool = given.event === undefined && given.kind === undefined;
  const known = {
    event: "tool.before",
    ...(isTool ? read : { kind: read.kind }),
    name,
    agents: [],
    role: null,
    nowMs: 0,
  } as const;
  return { ...known, input: input as Action["input"], ...given };
}

export function shell(command: string): Action {
  return toolCall("Bash", { command });
}

/** `deny r1`, or `none`. */
export function said(judged: Judgement | null): string {
  return judged === null ? "none" : `${judged.behaviour} ${judged.rule.id}`;
}
