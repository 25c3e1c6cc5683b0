import { type EventName, rowOf } from "../../engine/events/names.ts";

/** The hook that is asked for. */
export interface NewHook {
  readonly event: EventName;
  readonly kind: string;
  readonly name: string;
  /** From the folder of the configuration file to the one the hook is written in: `./` or `./deeper/`. */
  readonly place: string;
}

/** What is written for it, and what its author does next. */
export interface Scaffold {
  readonly files: readonly ScaffoldFile[];
  /** Its entry under `hooks:`; null when code registers it. */
  readonly entry: string | null;
  /** What it needs under `mcp_servers:`. */
  readonly servers?: string;
  /** The command that runs its test. */
  readonly test: string;
  readonly next: readonly string[];
}

export interface ScaffoldFile {
  readonly path: string;
  readonly text: string;
  readonly isExecutable?: true;
}

/** An entry for the list under `hooks:`, with the lines of its kind last. */
export function entryOf({ event, kind, name }: NewHook, lines: readonly string[]): string {
  const hasMatch = rowOf(event).matches === null || lines.some((line) => line.startsWith("match:"));
  const match = hasMatch ? [] : ['match: "*"'];
  const all = [`event: ${event}`, `type: ${kind}`, `name: ${yamlText(name)}`, ...match, ...lines];
  return all.map((line, index) => `${index === 0 ? "  - " : "    "}${line}\n`).join("");
}

/** Quoted wherever YAML might read something else than a text. */
export function yamlText(text: string): string {
  const isPlain = /^[A-Za-z_./][\w./-]*$/.test(text) && !/^(true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
