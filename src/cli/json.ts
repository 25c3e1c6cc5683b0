import { printableJson } from "../base/terminal-text.ts";

/** As every command prints it for a program. */
export function json(value: unknown): string {
  return `${printableJson(value, 2)}\n`;
}

/** The same on one line, for streams. */
export function jsonLine(value: unknown): string {
  return `${printableJson(value)}\n`;
}
