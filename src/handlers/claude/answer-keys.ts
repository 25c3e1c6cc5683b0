import { show } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import type { EventName } from "../../engine/events/names.ts";
import { answerKeys } from "../../engine/hooks/read-answer.ts";

export type Json = Readonly<Record<string, unknown>>;

export type ClaudeVerdict = "allow" | "deny" | "ask" | "defer";

const verdicts = new Map<unknown, ClaudeVerdict>([
  ["allow", "allow"],
  ["approve", "allow"],
  ["deny", "deny"],
  ["block", "deny"],
  ["ask", "ask"],
  ["defer", "defer"],
]);

/** A decision of Claude Code's in our words; undefined for any other word. */
export function claudeVerdict(word: unknown): ClaudeVerdict | undefined {
  return verdicts.get(word);
}

/** What of an answer is in our own words, with the reason that both languages have; null when none of it is. */
export function ownWordsOf(answer: Json): Json | null {
  const own = answerKeys.filter((key) => Object.hasOwn(answer, key));
  if (own.length === 0) return null;
  if (Object.hasOwn(answer, "reason")) own.push("reason");
  return Object.fromEntries(own.map((key) => [key, answer[key]]));
}

/** Whether a tool's input can be replaced by an answer to the event. */
export function takesInput(event: EventName): boolean {
  return event === "tool.before" || event === "permission.request";
}

/** Keys of the three maps an answer may have, without those that are for display alone or only name the event. */
function keysRead(event: EventName) {
  const input = takesInput(event) ? ["updatedInput"] : [];
  const output = event === "tool.after" ? ["updatedToolOutput", "updatedMCPToolOutput"] : [];
  const said = ["permissionDecision", "permissionDecisionReason", "additionalContext", "decision"];
  return {
    answer: ["continue", "stopReason", "decision", "reason", "hookSpecificOutput", ...answerKeys],
    specific: [...said, ...input, ...output],
    decision: ["behavior", "message", ...input],
  };
}

/** They change what a person sees in the terminal, and nothing about the event. */
const displayKeys = ["suppressOutput", "systemMessage", "terminalSequence", "hookEventName"];

/** What of an answer has no effect, in words: keys that are not read for the event, and decisions that are none. */
export function unreadParts(event: EventName, answer: Json): string[] {
  const keys = keysRead(event);
  const specific = objectOf(answer.hookSpecificOutput);
  const decision = objectOf(specific.decision);
  return [
    ...unreadKeys(answer, keys.answer, ""),
    ...unreadKeys(specific, keys.specific, "hookSpecificOutput."),
    ...unreadKeys(decision, keys.decision, "hookSpecificOutput.decision."),
    ...unreadVerdict("decision", answer.decision),
    ...unreadVerdict("permissionDecision", specific.permissionDecision),
    ...unreadVerdict("behavior", decision.behavior),
  ];
}

function unreadKeys(map: Json, known: readonly string[], place: string): string[] {
  const unread = Object.keys(map).filter((key) => !known.includes(key) && !displayKeys.includes(key));
  return unread.map((key) => {
    const near = suggest(key, known);
    return `the key ${show(`${place}${key}`)}${near === undefined ? "" : ` (did you mean ${place}${near}?)`}`;
  });
}

function unreadVerdict(key: string, value: unknown): string[] {
  if (value === undefined || value === null || claudeVerdict(value) !== undefined) return [];
  return [`${key} ${show(value)}`];
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
