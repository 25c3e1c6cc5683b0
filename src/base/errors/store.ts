import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with the store and with exports of the record. */
export const storeErrors = {
  SWARM_STORE_FULL: row<{ location: string; problem: string }>({
    meaning: "The store could not be written: the disk is full or failing. What was to be recorded was not.",
    remedy: "Make room on the disk that holds SWARM_HOME; writing goes on by itself.",
    status: 507,
    exitCode: 75,
    message: ({ location, problem }) =>
      `${oneLine(location, 300)} cannot be written, is the disk full? ${problem}`,
  }),
  SWARM_STORE_BUSY: row<{ location: string; problem: string }>({
    meaning: "Another process held the store for longer than five seconds.",
    remedy: "Try again; if it stays, find the process that has the file open.",
    status: 503,
    exitCode: 75,
    message: ({ location, problem }) => `${oneLine(location, 300)} is held by another process: ${problem}`,
  }),
  SWARM_STORE_FAILED: row<{ location: string; problem: string }>({
    meaning: "The store could not be opened, read or written.",
    remedy: "See what the message names; a damaged file can be moved away and a new one is made.",
    status: 500,
    exitCode: 70,
    message: ({ location, problem }) => `${oneLine(location, 300)} cannot be used: ${problem}`,
  }),
  SWARM_STORE_DAMAGED: row<{ location: string; problem: string }>({
    meaning:
      "The disk did not take what was written, and may have lost it: an fsync failed. Asking again would be answered as if nothing had happened, so nothing is recorded or acknowledged any more.",
    remedy:
      "Look after the disk that holds SWARM_HOME (`dmesg` tells), then start again; `swarm audit verify` tells what is there.",
    status: 500,
    exitCode: 70,
    message: ({ location, problem }) =>
      `${oneLine(location, 300)} did not reach the disk, and nothing is recorded any more: ${problem}`,
  }),
  SWARM_STORE_NEWER: row<{ location: string; version: number; newest: number }>({
    meaning: "The store was written by a newer version of this program.",
    remedy: "Update swarm-hooks; there is no way back.",
    status: 500,
    exitCode: 70,
    message: ({ location, version, newest }) =>
      `${oneLine(location, 300)} has version ${version}, expected at most ${newest}: update swarm-hooks`,
  }),
  SWARM_STORE_UNSUPPORTED: row<{ url: string }>({
    meaning: "The store was to be kept where none can be yet. There is SQLite; PostgreSQL comes later.",
    remedy: "Give the path of a SQLite file, or sqlite:PATH.",
    status: 400,
    exitCode: 64,
    message: ({ url }) =>
      `no store can be kept at ${show(url)}: expected a path or sqlite:PATH; PostgreSQL comes later`,
  }),
  SWARM_AUDIT_INTACT: row<Record<never, never>>({
    meaning: "The record was to be accepted although it has no fault.",
    remedy: "There is nothing to do; see `swarm audit verify`.",
    status: 409,
    exitCode: 64,
    message: () => "the record is intact: there is nothing to accept",
  }),
  SWARM_VERIFY_ENDED: row<{ problem: string }>({
    meaning: "The record was not verified to its end: the daemon stopped, or whoever asked went away.",
    remedy: "Ask again; `swarm audit verify` reads the record without the daemon.",
    status: 503,
    exitCode: 75,
    message: ({ problem }) => `the record was not verified to its end: ${oneLine(problem, 300)}`,
  }),
  SWARM_EXPORT_UNREADABLE: row<{ file: string; problem: string }>({
    meaning: "A file given to `swarm audit verify` is not an export of the record, or was cut within a line.",
    remedy: "Give a file that `swarm audit export` wrote.",
    status: 400,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)}: ${problem}`,
  }),
  SWARM_MANIFEST_UNREADABLE: row<{ file: string; problem: string }>({
    meaning: "The manifest beside a PDF of the record is missing, or is none.",
    remedy: "Keep the PDF and the .manifest.json that was written with it side by side.",
    status: 400,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)}: ${oneLine(problem, 500)}`,
  }),
  SWARM_PDF_PACKAGE_MISSING: row<Record<never, never>>({
    meaning:
      "The record was to be written as a PDF, and the optional package @swarm-hooks/pdf is not installed.",
    remedy:
      "Install it beside this package, as global as that is (`npm install -g @swarm-hooks/pdf`), and ask again; the daemon needs no restart.",
    status: 400,
    exitCode: 65,
    message: () =>
      "PDFs need the package @swarm-hooks/pdf, which is not installed: npm install -g @swarm-hooks/pdf (without -g where swarm-hooks is in a project)",
  }),
  SWARM_PDF_RUN_UNKNOWN: row<{ run_id: string; kind: string }>({
    meaning: "A PDF was asked for of a run or promotion the record has no rows of.",
    remedy: "See `swarm cron runs` for the ids of runs.",
    status: 404,
    exitCode: 65,
    message: ({ run_id, kind }) => `the record has no rows of ${kind} ${show(run_id)}`,
  }),
  SWARM_PDF_UNKNOWN: row<{ id: string }>({
    meaning:
      "A PDF of the record was asked for that is not in `$SWARM_HOME/reports`, or not with its manifest.",
    remedy:
      "See `swarm audit pdfs` for those there are; one that was written elsewhere is where it was asked for.",
    status: 404,
    exitCode: 65,
    message: ({ id }) => `no PDF of the record is kept as ${show(id)}`,
  }),
  SWARM_PDF_UNWRITABLE: row<{ file: string; problem: string }>({
    meaning: "A PDF of the record could not be written where it was to be.",
    remedy: "Give the name of a file that does not exist yet, in a folder that does and may be written to.",
    status: 400,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)} cannot be written: ${oneLine(problem, 500)}`,
  }),
  SWARM_PDF_FAILED: row<{ problem: string }>({
    meaning: "A PDF of the record could not be made; nothing of it was left behind.",
    remedy: "See what the message names; `swarm audit verify` tells whether the record can be read.",
    status: 500,
    exitCode: 70,
    message: ({ problem }) => `no PDF could be made: ${oneLine(problem, 500)}`,
  }),
  SWARM_FILES_REMOVED: row<{ kind: string; id: string }>({
    meaning: "The files of what was forgotten are removed by somebody else, or are gone already.",
    remedy: "Nothing is to be done: another process was faster.",
    status: 409,
    exitCode: 65,
    message: ({ kind, id }) => `the files of ${kind} ${show(id)} are removed by another process`,
  }),
  SWARM_FILES_NOT_REMOVED: row<{ folder: string; problem: string }>({
    meaning: "Files of a run or check that was forgotten could not be removed.",
    remedy: "Look at the folder's owner and permissions; it is tried again the next time.",
    status: 503,
    exitCode: 75,
    message: ({ folder, problem }) =>
      `${oneLine(folder, 300)} could not be removed: ${oneLine(problem, 300)}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
