import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Answer } from "../../engine/events/answer.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { type Action, actionOf, judgedEvents } from "./action.ts";
import type { Place } from "./detect/place.ts";
import { installedFiles } from "./files/installed-files.ts";
import { isFolder } from "./files/is-folder.ts";
import { readText } from "./files/read-text.ts";
import { realPath } from "./files/real-path.ts";
import type { Judgement, Policy, Review } from "./policy.ts";

/** What the hook that judges is called. Decisions name it with the rule: `policy:starter/publish`. */
export const policyHook = "policy";

export function isPolicyHook(name: string): boolean {
  return name === policyHook || name.startsWith(`${policyHook}:`) || name.startsWith(`${policyHook}/`);
}

/** Events that are judged as they are emitted. A plugin's commands are judged by `judge` alone. */
export const guardedEvents = judgedEvents.filter((event) => event !== "plugin.command");

export function isGuardedEvent(event: string): boolean {
  return (guardedEvents as readonly string[]).includes(event);
}

export interface JudgeOptions {
  readonly policy: Policy;
  readonly home: string;
  /** Where actions happen, without links in it. */
  readonly cwd: string;
  readonly now: () => number;
}

/** One folder's policy, ready to be asked. */
export interface Judge {
  readonly policy: Policy;
  /** For whatever no event announces; what is left out is taken from the folder. */
  judge(action: Pick<Action, "event" | "name"> & Partial<Action>): Judgement | null;
  /** The same as the answer of a hook. */
  answer(event: string, data: Readonly<Record<string, unknown>>, origin: Origin): Answer | undefined;
}

export function makeJudge({ policy, home, cwd, now }: JudgeOptions): Judge {
  const place = placeIn(cwd, home);
  const judgeAction = (action: Action): Judgement | null => policy.judge(action, place);
  return {
    policy,
    judge: (given) => judgeAction({ kind: null, input: {}, agents: [], role: null, nowMs: now(), ...given }),
    answer(event, data, origin) {
      const action = actionOf(event, data, origin, now());
      return action === null ? undefined : answerOf(policy.review(action, place));
    },
  };
}

/** What rules would have said that are not enforced stands beside the reason, and changes nothing about the verdict. */
function answerOf({ judgement, unenforced }: Review): Answer | undefined {
  if (judgement === null && unenforced.length === 0) return undefined;
  const said = unenforced.map(unenforcedText).join("; ");
  const warned = unenforced.filter(({ rule }) => rule.mode === "warn").map(unenforcedText);
  const context = warned.length === 0 ? undefined : warned.join("\n");
  if (judgement === null) return new Answer(undefined, said, undefined, context, undefined);
  const { behaviour, reason, rule } = judgement;
  const told = said === "" || behaviour === "deny" ? reason : `${reason}; ${said}`;
  return new Answer(behaviour, told, undefined, context, undefined, `${policyHook}:${rule.id}`);
}

function unenforcedText({ behaviour, reason, rule }: Judgement): string {
  return `would ${behaviour}, in mode ${rule.mode}: ${reason}`;
}

/** A folder as actions in it are judged, looked at once; `cwd` is without links. */
export function placeIn(cwd: string, home: string): Place {
  return { cwd, root: projectRoot(cwd, home), home, realPath, isFolder, readText, installedFiles };
}

/** The nearest folder with a repository or a swarm.yaml; the folder itself where there is none. A home is no project. */
function projectRoot(from: string, home: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (folder === home || folder === dirname(folder)) break;
    if (existsSync(join(folder, ".git")) || existsSync(join(folder, "swarm.yaml"))) return folder;
  }
  return from === home || from === dirname(from) ? null : from;
}
