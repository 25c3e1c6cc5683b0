import { resolve } from "node:path/posix";
import type { ToolNames } from "../../engine/events/tool-names.ts";
import { type Action, type JudgedEvent, readTool } from "./action.ts";
import type { Place } from "./detect/place.ts";
import type { PathNames } from "./files/path-globs.ts";
import type { Policy } from "./policy.ts";

/** One case: what is about to happen, and what the policy has to say of it. */
export interface PolicyCase {
  readonly expect: "allow" | "deny" | "ask" | "none";
  /** Which rule has to say it; null: any. */
  readonly rule: string | null;
  readonly event: JudgedEvent;
  readonly kind: string | null;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agent: string | null;
  readonly role: string | null;
  readonly cwd: string | null;
  /** Those that are there. */
  readonly folders: readonly string[];
  readonly timeMs: number | null;
}

export interface PolicyTestResult {
  readonly isAsExpected: boolean;
  readonly verdict: PolicyCase["expect"];
  readonly rule: string | null;
  readonly reason: string | null;
}

/** Where tests take place: the same on every machine, and no file of it is looked at. */
export const testNames: PathNames = { home: "/home/user", swarmHome: "/home/user/.swarm" };
const testRoot = "/srv/project";

/** What a tool of this agent may be; undefined: no agent is called that. */
export type NamesOfTool = (agent: string, toolName: string) => ToolNames | undefined;

/** Judges each case; the policy has to be compiled with `testNames`. */
export function testPolicy(
  policy: Policy | null,
  { expect, rule, ...given }: PolicyCase,
  nowMs: number,
  namesOfTool: NamesOfTool = () => undefined,
): PolicyTestResult {
  const cwd = given.cwd ?? testRoot;
  const folders = new Set(given.folders.map((folder) => resolve(testRoot, folder)));
  const place: Place = {
    cwd,
    root: testRoot,
    home: testNames.home,
    realPath: (path) => path,
    installedFiles: () => [],
    readText: () => null,
    isFolder: (path) => path === testRoot || folders.has(path),
  };
  const judged = policy?.judge(actionOf(given, nowMs, namesOfTool), place) ?? null;
  const verdict = judged?.behaviour ?? "none";
  const named = judged?.rule.id ?? null;
  return {
    isAsExpected: verdict === expect && (rule === null || rule === named),
    verdict,
    rule: named,
    reason: judged?.reason ?? null,
  };
}

function actionOf(
  given: Omit<PolicyCase, "expect" | "rule">,
  nowMs: number,
  namesOfTool: NamesOfTool,
): Action {
  const { event, kind, name, input, agent, role, timeMs } = given;
  const names = agent === null ? undefined : namesOfTool(agent, name);
  return {
    event,
    kind,
    ...(kind === null && event === "tool.before" && readTool(name, input, names)),
    name,
    input,
    agents: agent === null ? [] : [agent],
    role,
    nowMs: timeMs ?? nowMs,
  };
}
