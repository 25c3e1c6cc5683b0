import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What keeps a project's hooks from being approved. */
export const trustErrors = {
  SWARM_HOOK_UNTRUSTED: row<{ hook: string }>({
    meaning: "A project's hook was to be used that nobody has approved.",
    remedy: "Look at it and approve it with `swarm trust`.",
    status: 403,
    exitCode: 65,
    message: ({ hook }) => `hook ${hook} is not approved: look at it with swarm trust`,
  }),
  SWARM_TRUST_STALE: row<{ file: string; given: unknown; digest: string }>({
    meaning: "A project's hooks, or files of theirs, are not what was shown to whoever approves them.",
    remedy: "Look at them again: `swarm trust` shows what has changed.",
    status: 409,
    exitCode: 65,
    message: ({ file, given, digest }) =>
      `${oneLine(file, 300)} is not what was shown: its digest is ${digest}, not ${show(given)}; look at it again`,
  }),
  SWARM_TRUST_NOTHING: row<{ folder: string }>({
    meaning: "There is no project with hooks of its own here, so there is nothing to decide.",
    remedy: "Go to a folder at or below a swarm.yaml that has hooks.",
    status: 404,
    exitCode: 64,
    message: ({ folder }) =>
      `no hooks of a project are in force in ${oneLine(folder, 300)}, expected a swarm.yaml with some at or above it`,
  }),
  SWARM_TRUST_TOO_MUCH: row<{ hook: string; problem: string }>({
    meaning: "A hook's files are too many or too large to be approved and kept.",
    remedy: "List only what its program needs under files.",
    status: 400,
    exitCode: 65,
    message: ({ hook, problem }) => `hook ${hook} cannot be approved: ${problem}`,
  }),
  SWARM_TRUST_UNKEPT: row<{ folder: string; problem: string }>({
    meaning: "The files of a project's hooks could not be copied, so they were not approved.",
    remedy: "Make room on the disk that holds SWARM_HOME, and see that its folder trust can be written.",
    status: 507,
    exitCode: 75,
    message: ({ folder, problem }) => `${oneLine(folder, 300)} cannot be written: ${problem}`,
  }),
  SWARM_FILE_UNTRUSTED: row<{ path: string; sha256: string; approved: boolean }>({
    meaning: "A file that runs code when it is loaded was to be loaded, and nobody has approved its bytes.",
    remedy: "See where it is from, then approve it with `swarm trust --file PATH`.",
    status: 403,
    exitCode: 65,
    message: ({ path, sha256, approved }) =>
      `${oneLine(path, 300)} runs code when it is loaded and ${approved ? "is not what was approved" : "is not approved"} (sha256 ${sha256}): swarm trust --file ${oneLine(path, 300)}`,
  }),
  SWARM_FILE_UNREADABLE: row<{ path: string; problem: string }>({
    meaning: "A file could not be read.",
    remedy: "Give the path of a file that can be read.",
    status: 400,
    exitCode: 65,
    message: ({ path, problem }) => `${oneLine(path, 300)} cannot be read: ${oneLine(problem, 300)}`,
  }),
  SWARM_FILE_NOT_APPROVED: row<{ file: string }>({
    meaning: "An approval was to be taken back that there is not.",
    remedy: "See `swarm trust --files` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ file }) => `there is no approval of ${show(file)} to be taken back`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
