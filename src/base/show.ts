import { maskMessage } from "./message-mask.ts";

const maxShownChars = 80;

/** As much of a text is searched for secrets, so that a 10 MB string costs nothing. One that is cut is no longer found. */
const maxSearchedChars = 4_096;

/** A value as it may stand in an error message: typed at a glance, on one line, never long, without secrets, never throwing. */
export function show(value: unknown): string {
  try {
    return oneLine(asText(value), maxShownChars);
  } catch {
    return "a value that cannot be shown"; // a proxy or a getter that throws when it is looked at
  }
}

/**
 * A text on one line and not longer than `maxChars`: names and messages come from outside, and must neither begin a
 * line of their own, nor steer a terminal, nor turn the reading order around.
 */
export function oneLine(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const line = text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, " ");
  return line.length <= maxChars ? line : `${cut(line, maxChars)}…`;
}

/** The first `maxChars` of a text, not ending between the halves of a surrogate pair. */
export function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}

function asText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(maskMessage(value.slice(0, maxSearchedChars)).slice(0, maxShownChars + 1));
    case "function":
      return `function ${String(value.name) || "(anonymous)"}`;
    case "object":
      if (value === null) return "null";
      if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes of binary data`;
      return Array.isArray(value) ? `an array of ${value.length}` : `an object with ${shownKeys(value)}`;
    case "bigint":
      return "a bigint";
    default:
      return String(value);
  }
}

function shownKeys(value: object): string {
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? "no keys" : `keys ${keys.join(", ")}`;
}
