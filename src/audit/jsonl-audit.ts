import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Audit, RunEvent } from "../ports/audit.ts";

const maxFileBytes = 64 * 1024 * 1024;
const tailBytes = 1024 * 1024;

/**
 * Run events as lines of JSON in one file. One write per line with O_APPEND, so that processes that share the file do
 * not tear each other's lines; at 64 MiB the file is put aside as `.1`, replacing the one before.
 */
export function jsonlAudit(file: string): Audit {
  return {
    append(runEvent) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (sizeOf(file) > maxFileBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, `${JSON.stringify(runEvent)}\n`, { mode: 0o600 });
    },
    newest() {
      return tailOf(file)
        .split("\n")
        .flatMap((line) => parse(line) ?? [])
        .reverse();
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function tailOf(file: string): string {
  if (sizeOf(file) === 0) return "";
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Null for the first line of the tail, which may begin in the middle, and for one a crash has cut short. */
function parse(line: string): RunEvent | null {
  try {
    return JSON.parse(line) as RunEvent;
  } catch {
    return null;
  }
}
