import { oneLine } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with the store and with exports of the record. */
export const storeErrors = {
  SWARM_STORE_FULL: row<{ file: string; problem: string }>({
    meaning: "The store could not be written: the disk is full or failing. What was to be recorded was not.",
    remedy: "Make room on the disk that holds SWARM_HOME; writing goes on by itself.",
    status: 507,
    exitCode: 75,
    message: ({ file, problem }) => `${oneLine(file, 300)} cannot be written, is the disk full? ${problem}`,
  }),
  SWARM_STORE_BUSY: row<{ file: string; problem: string }>({
    meaning: "Another process held the store for longer than five seconds.",
    remedy: "Try again; if it stays, find the process that has the file open.",
    status: 503,
    exitCode: 75,
    message: ({ file, problem }) => `${oneLine(file, 300)} is held by another process: ${problem}`,
  }),
  SWARM_STORE_FAILED: row<{ file: string; problem: string }>({
    meaning: "The store could not be opened, read or written.",
    remedy: "See what the message names; a damaged file can be moved away and a new one is made.",
    status: 500,
    exitCode: 70,
    message: ({ file, problem }) => `${oneLine(file, 300)} cannot be used: ${problem}`,
  }),
  SWARM_STORE_DAMAGED: row<{ file: string; problem: string }>({
    meaning:
      "The disk did not take what was written, and may have lost it: an fsync failed. Asking again would be answered as if nothing had happened, so nothing is recorded or acknowledged any more.",
    remedy:
      "Look after the disk that holds SWARM_HOME (`dmesg` tells), then start again; `swarm audit verify` tells what is there.",
    status: 500,
    exitCode: 70,
    message: ({ file, problem }) =>
      `${oneLine(file, 300)} did not reach the disk, and nothing is recorded any more: ${problem}`,
  }),
  SWARM_STORE_NEWER: row<{ file: string; version: number; newest: number }>({
    meaning: "The store was written by a newer version of this program.",
    remedy: "Update swarm-hooks; there is no way back.",
    status: 500,
    exitCode: 70,
    message: ({ file, version, newest }) =>
      `${oneLine(file, 300)} has version ${version}, expected at most ${newest}: update swarm-hooks`,
  }),
  SWARM_EXPORT_UNREADABLE: row<{ file: string; problem: string }>({
    meaning: "A file given to `swarm audit verify` is not an export of the record, or was cut within a line.",
    remedy: "Give a file that `swarm audit export` wrote.",
    status: 400,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)}: ${problem}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
