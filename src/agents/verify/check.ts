import type { GuardVerdict } from "../port/guard-verdict.ts";

/** Kinds of calls a guard has to stop; each is tried by itself, because a matcher can let any of them pass. */
export const callClasses = ["shell", "write", "edit", "mcp", "subagent"] as const;
export type CallClass = (typeof callClasses)[number];

/** What is looked at, one by one. */
export const checkNames = [...callClasses, "typing", "entry", "allow", "rewrite", "daemon_killed"] as const;
export type CheckName = (typeof checkNames)[number];

/** `not_provable`: the agent never came to the point where it could have passed or failed. */
export type CheckResult = "pass" | "fail" | "not_applicable" | "not_provable";

export interface Check {
  readonly check: CheckName;
  readonly result: CheckResult;
  /** What was seen. */
  readonly evidence: string;
}

/** What came out for one agent. */
export interface AgentReport {
  readonly agent: string;
  readonly version: string | null;
  readonly verdict: GuardVerdict;
  /** The same for each kind of call. */
  readonly calls: Readonly<Partial<Record<CallClass, GuardVerdict | "not tried">>>;
  /** The middle one of ten calls of the installed command line. */
  readonly hook_p50_ms: number | null;
  /** Null where there is nothing left to do. */
  readonly what_to_do: string | null;
  /** Whether the agent's settings have our entry for tool calls. */
  readonly is_installed: boolean;
  readonly checks: readonly Check[];
  /** How one run of the agent can be started without our hooks: no verification sees that. */
  readonly not_seen: readonly string[];
}

/** One guard that does not hold makes it inert, whatever else does; without a proof there is none. */
export function verdictOf(checks: readonly Check[]): GuardVerdict {
  if (checks.some(({ result }) => result === "fail")) return "INERT";
  if (checks.length === 0 || checks.some(({ result }) => result === "not_provable")) return "not provable";
  return "enforced";
}

const verdicts = {
  pass: "enforced",
  fail: "INERT",
  not_applicable: "not tried",
  not_provable: "not provable",
} as const;

export function callVerdicts(checks: readonly Check[]): AgentReport["calls"] {
  const found = callClasses.flatMap((name) => {
    const its = checks.find((done) => done.check === name);
    return its === undefined ? [] : [[name, verdicts[its.result]]];
  });
  return Object.fromEntries(found);
}

export function check(name: CheckName, result: CheckResult, evidence: string): Check {
  return { check: name, result, evidence };
}
