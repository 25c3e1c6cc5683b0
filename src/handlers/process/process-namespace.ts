import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";

/** What a program is started with to have a process namespace of its own, or why it cannot have one here. */
export type ProcessNamespace =
  | { readonly command: readonly [string, ...string[]]; readonly problem: null }
  | { readonly command: null; readonly problem: string };

/** Never looked for along PATH: a project may have a say in that, and whoever is found there could do anything. */
const bwrapPaths = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];

/**
 * Everything as it is but for the processes: who is in the namespace sees only those in it, and when its first
 * process ends the kernel ends all others, whatever session, parent or environment they have.
 *
 * - `--dev-bind / /`: the same files and devices. Set-uid bits have no effect on them.
 * - `--proc /proc`: without it `/proc/$$` would be somebody else.
 * - `--die-with-parent`: the first process goes when bwrap goes, and bwrap when we do, even by KILL. Without it bwrap
 *   waits for whoever is left in the background.
 * - No `--as-pid-1`: the kernel drops signals the first process has no handler for, so TERM would not end a program.
 */
const flags = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--die-with-parent", "--"];
/** In a container whose /proc is partly covered the kernel allows no new one. */
const flagsWithoutProc = flags.filter((flag) => !flag.endsWith("proc"));

/** Only a loopback of its own: there is nobody to talk to. */
const offlineFlag = "--unshare-net";

let found: ProcessNamespace | undefined;
let foundOffline: ProcessNamespace | undefined;

/** Tried once, with a program that does nothing: 5 ms. Only that tells whether the kernel lets this user make one. */
export function processNamespace(): ProcessNamespace {
  found ??= findNamespace(bwrapPaths);
  return found;
}

/** The same without a network. */
export function offlineNamespace(): ProcessNamespace {
  foundOffline ??= findNamespace(bwrapPaths, [offlineFlag]);
  return foundOffline;
}

export function findNamespace(paths: readonly string[], moreFlags: readonly string[] = []): ProcessNamespace {
  const bwrap = paths.find(isExecutable);
  if (bwrap === undefined) return { command: null, problem: `there is no ${paths.join(" or ")}` };
  let problem = "";
  for (const tried of [flags, flagsWithoutProc].map((some) => [...moreFlags, ...some])) {
    const { status, stderr, error } = spawnSync(bwrap, [...tried, "/bin/sh", "-c", ":"], {
      env: {},
      cwd: "/",
      encoding: "utf8",
      timeout: 5_000,
      killSignal: "SIGKILL",
    });
    if (status === 0) return { command: [bwrap, ...tried], problem: null };
    problem ||= error?.message ?? (stderr.trim().split("\n")[0] || `exit code ${status}`);
  }
  return { command: null, problem: `${bwrap} cannot make a process namespace: ${problem}` };
}

/** What bwrap said when it, and not the program, has failed; it has ended with 1 then. */
export function bwrapFailure(exitCode: number, stderr: string): string | null {
  return exitCode === 1 && stderr.startsWith("bwrap: ") ? stderr.trim() : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not executable
  }
}
