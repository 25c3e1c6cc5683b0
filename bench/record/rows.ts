import type { NewEntry } from "../../src/record/port/audit.ts";
import type { RecordedHandler } from "../../src/record/port/run-event.ts";

/** Hooks of the home: guards for every tool call, and one that was never called. */
export const hookIds = { busy: "hook_busy", rare: "hook_rare", idle: "hook_idle" } as const;

export const config = "hooks: []\n";

/** A session is as long as one of an agent's that works for an hour. */
const rowsPerSession = 250;
const spanMs = 30 * 86_400_000;

/** The rows are spread evenly over the last thirty days, so that what the last day holds grows with the record. */
export function timeAt(index: number, rows: number): string {
  return new Date(startMs + Math.floor((index / rows) * spanMs)).toISOString();
}

const startMs = Date.now() - spanMs;

export function sessionOf(index: number): string {
  return `session-${Math.floor(index / rowsPerSession)}`;
}

/** Of a hundred rows eighty are tool calls; one in a hundred was denied, and what is rare is as rare in a long record. */
export function entryAt(index: number, rows: number): NewEntry {
  const common = {
    id: `evt_${index}`,
    actor: "agent:claude-code",
    session: sessionOf(index),
    agent: "claude-code",
    cwd: "/work/project",
    source: "claude-code",
    ms: 1.234,
  };
  const of100 = index % 100;
  // Only the oldest rows tell of these: a search that walks back from the newest one would pass by all others.
  if (index < 20) return { ...common, kind: "login", event: "login", actor: "human:owner", session: null };
  if (index % (rows / 10) === 50) return { ...common, kind: "change", event: "flag.set", session: null };
  if (of100 < 6)
    return { ...common, kind: "intent", event: "webhook.delivery", outcome: "open", session: null };
  if (of100 < 12)
    return { ...common, kind: "outcome", event: "webhook.delivery", ref: `evt_${index - 6}`, session: null };
  if (of100 < 14) return { ...common, kind: "observed", event: "tool.after" };
  if (of100 < 20) return { ...common, kind: "emit", event: "prompt.submitted", before: '{"prompt":"go on"}' };
  const isDenied = of100 === 20;
  const before = JSON.stringify({ tool_name: "Bash", tool_input: { command: `ls -la src/${index}` } });
  return {
    ...common,
    kind: "emit",
    event: of100 < 60 ? "tool.before" : "tool.after",
    verdict: isDenied ? "deny" : "none",
    outcome: isDenied ? "denied" : "completed",
    reason: isDenied ? "not here" : null,
    before,
    handlers: [call(hookIds.busy), ...(index < 1_000 ? [call(hookIds.rare)] : [])],
  };
}

function call(hook_id: string): RecordedHandler {
  const digest = "0".repeat(64);
  const common = {
    kind: "command",
    mode: "guard",
    status: "completed",
    verdict: "none",
    reason: null,
    ms: 1,
  } as const;
  return { ...common, name: hook_id, hook_id, digest };
}
