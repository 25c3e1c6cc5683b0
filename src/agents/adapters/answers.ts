import type { Decision } from "../../engine/events/decision.ts";
import type { NativeAnswer } from "../port/adapter.ts";

export const silence: NativeAnswer = Object.freeze({ stdout: "", stderr: "", exitCode: 0 });

/**
 * An answer as JSON; nothing at all when there is nothing to say. Half a surrogate pair is JSON to JavaScript and an
 * error to other parsers, which would take the whole answer for none.
 */
export function jsonAnswer(answer: Readonly<Record<string, unknown>>): NativeAnswer {
  if (Object.keys(answer).length === 0) return silence;
  const text = JSON.stringify(answer).replaceAll(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
    found === "\\\\" ? found : "\ufffd",
  );
  return { stdout: `${text}\n`, stderr: "", exitCode: 0 };
}

/** What every agent takes for a denial whatever else goes wrong, as long as stderr is not empty. */
export function exitAnswer(reason: string): NativeAnswer {
  return { stdout: "", stderr: `${reason.trim() || "denied by a hook"}\n`, exitCode: 2 };
}

/** Why it was denied. Codex takes a denial without a reason for a mistake, and runs the tool. */
export function reasonOf({ reason, hook }: Decision): string {
  return reason?.trim() || `denied by ${hook ?? "a hook"}`;
}

/** All texts for the model's context as one; undefined when there is none. */
export function contextOf({ context }: Decision): string | undefined {
  const text = context.join("\n\n");
  return text.trim() === "" ? undefined : text;
}

/** Only the entries that have a value. */
export function given(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
}

/** A denial where there is no other way to tell it than as a text for the model: it has to be told from mere context. */
export function objectionOf(decision: Decision): string {
  return `A hook objects: ${reasonOf(decision)}`;
}
