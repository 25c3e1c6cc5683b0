import type { JsonObject } from "../../../engine/events/schema.ts";

/** Why a record failed, as its row in errors.jsonl has it. Kinds of processors may have classes of their own besides. */
export type ErrorClass =
  | "invalid_json"
  | "not_an_object"
  | "too_long"
  | "timeout"
  | "crash"
  | "thrown"
  | "invalid_output";

/** What a row of errors.jsonl says at most: an exception may carry a whole document. */
const maxMessageChars = 2_000;

/** `idText` and `outputText` are JSON. */
export function resultRow(idText: string, outputText: string): string {
  return `{"record_id":${idText},"output":${outputText}}\n`;
}

export function errorRow(idText: string, line: number, errorClass: string, message: string): string {
  const error = { class: errorClass, message: message.slice(0, maxMessageChars) };
  return `{"record_id":${idText},"line":${line},"error":${JSON.stringify(error)}}\n`;
}

/**
 * How a record is called, as JSON text: the value of its id field where that is text or a number, else the number of its
 * line. `source` is the record as it was read: a number too large for JavaScript keeps its digits.
 */
export function idTextOf(record: JsonObject, idField: string, line: number, source: string): string {
  const id = Object.hasOwn(record, idField) ? record[idField] : undefined;
  if (typeof id === "string") return id === "" ? String(line) : JSON.stringify(id);
  if (typeof id !== "number") return String(line);
  return Number.isSafeInteger(id) ? String(id) : (digitsOf(source, idField) ?? String(line));
}

/** The text of a number at the top of a record. */
function digitsOf(source: string, field: string): string | null {
  const numbers: { holder: unknown; digits: string }[] = [];
  let root: unknown;
  JSON.parse(source, function (this: unknown, key: string, value: unknown, ...rest: unknown[]) {
    // TypeScript's library does not know the third argument yet.
    const [context] = rest as [{ readonly source?: string } | undefined];
    if (key === field && typeof value === "number") {
      numbers.push({ holder: this, digits: context?.source ?? String(value) });
    }
    if (key === "") root = value;
    return value;
  });
  return numbers.findLast(({ holder }) => holder === root)?.digits ?? null;
}

/**
 * A 64-bit hash of an id's JSON text, in two halves at `at` and `at + 1`. Equal hashes make candidates for duplicates, no
 * more: the ids themselves are compared before anything is reported.
 */
export function hashIdText(idText: string, into: Uint32Array, at: number): void {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < idText.length; index++) {
    const code = idText.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) + low;
  }
  into[at] = mixed(low ^ high);
  into[at + 1] = mixed(high);
}

/** Every bit of the outcome depends on every bit given: ids of a series differ in their last digits only. */
function mixed(half: number): number {
  let bits = Math.imul(half ^ (half >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
