import { isUtf8 } from "node:buffer";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type ErrorClass, idTextOf } from "./batch-rows.ts";
import type { Chunk } from "./processor.ts";

/** One line of the input that is not blank. */
export interface InputRecord {
  /** Its line in the input, from 1. */
  readonly line: number;
  readonly source: string;
  /** How it is called, as JSON. */
  readonly idText: string;
  /** Null: it is none, and `problem` says why. */
  readonly record: JsonObject | null;
  readonly problem: { readonly class: ErrorClass; readonly message: string } | null;
}

/** The records of a chunk in their order. */
export function* recordsOf(chunk: Chunk, idField: string): Generator<InputRecord, void, undefined> {
  let line = chunk.firstLine;
  for (const source of linesOf(chunk.lines)) {
    if (source !== "" && source.trim() !== "") yield readRecord(source, line, idField);
    line++;
  }
}

/** The record on one line; null: it is blank. */
export function recordOn(line: Buffer, number: number, idField: string): InputRecord | null {
  const source = isUtf8(line) ? line.toString("utf8") : notText;
  return source.trim() === "" ? null : readRecord(source, number, idField);
}

/** Stands for a line whose bytes are no text; no JSON begins like this. */
const notText = "\ufffd";

function linesOf(lines: Buffer): string[] {
  // One text for all lines: half the time of one for each.
  if (isUtf8(lines)) return lines.toString("utf8").split("\n");
  const texts: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf(0x0a, start);
    const line = lines.subarray(start, newline === -1 ? lines.length : newline);
    texts.push(isUtf8(line) ? line.toString("utf8") : notText);
    start += line.length + 1;
  }
  return texts;
}

/** One line that is not blank. */
export function readRecord(source: string, line: number, idField: string): InputRecord {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    const message = source === notText ? "bytes that are no UTF-8" : (error as Error).message;
    return unreadable(source, line, { class: "invalid_json", message });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const record = value as JsonObject;
    return { line, source, idText: idTextOf(record, idField, line, source), record, problem: null };
  }
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return unreadable(source, line, { class: "not_an_object", message: `${found}, expected an object` });
}

function unreadable(source: string, line: number, problem: InputRecord["problem"]): InputRecord {
  return { line, source, idText: String(line), record: null, problem };
}
