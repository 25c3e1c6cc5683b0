import { limits } from "../base/limits.ts";
import { type Mode, modes } from "../engine/events/outcome.ts";
import type { Action } from "./hook-config.ts";

/** What a file may declare. */
export type Kind = Exclude<Action["kind"], "function" | "redact">;

/** What a hook of this kind needs, may say, and is unless it says otherwise. */
export interface KindRow {
  readonly doc: string;
  /** Exactly one of these keys must be there. */
  readonly needs: readonly string[];
  /** Keys it may have beside those and those of every kind. */
  readonly takes: readonly string[];
  /** The first is the default. */
  readonly modes: readonly [Mode, ...Mode[]];
  /** Why there is only one mode, or which kind has the others. */
  readonly otherModes: string;
  readonly onFailure: "allow" | "deny";
  readonly timeoutMs: number;
}

const programKeys = { needs: ["command", "args"], takes: ["files"] } as const;

export const kinds: Readonly<Record<Kind, KindRow>> = {
  command: {
    ...programKeys,
    doc: "Runs a program: JSON on stdin, its answer on stdout, exit code 2 denies.",
    modes,
    otherModes: "",
    onFailure: "allow",
    timeoutMs: limits.timeoutMs,
  },
  script: {
    ...programKeys,
    doc: "Runs a program that only watches.",
    modes: ["observe"],
    otherModes: "type blocking_script or command can refuse",
    onFailure: "allow",
    timeoutMs: limits.timeoutMs,
  },
  blocking_script: {
    ...programKeys,
    doc: "Runs a program whose exit code decides: anything but 0 denies.",
    modes: ["guard"],
    otherModes: "type script watches, type command rewrites",
    onFailure: "deny",
    timeoutMs: 5_000,
  },
  http: {
    doc: "Sends one request and waits for the answer.",
    needs: ["url"],
    takes: ["secret", "previous_secret", "headers", "allow_private"],
    modes,
    otherModes: "",
    onFailure: "allow",
    timeoutMs: 10_000,
  },
  webhook: {
    doc: "Delivers the event later, signed, again and again until it arrives.",
    needs: ["url"],
    takes: [
      "secret",
      "previous_secret",
      "unsigned",
      "headers",
      "allow_private",
      "retry",
      "max_age_s",
      "legacy_headers",
      "format",
      "body",
      "routing_key",
    ],
    modes: ["observe"],
    otherModes: "type http waits for the answer",
    onFailure: "allow",
    timeoutMs: 10_000,
  },
  mcp_tool: {
    doc: "Calls a tool of a configured server.",
    needs: ["tool"],
    takes: ["server"],
    modes,
    otherModes: "",
    onFailure: "allow",
    timeoutMs: limits.toolTimeoutMs,
  },
};

export const kindNames = Object.keys(kinds) as Kind[];

/** What a webhook does about failures, unless it says. */
export const deliveryDefaults = { retry: 3, maxAgeS: 72 * 3_600 } as const;

/** The kinds a key belongs to; none when it belongs to all. */
export function kindsOfKey(key: string): Kind[] {
  return kindNames.filter((kind) => kinds[kind].needs.includes(key) || kinds[kind].takes.includes(key));
}
