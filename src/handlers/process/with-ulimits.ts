import { basename } from "node:path";

/**
 * No core dumps (they hold whatever the program knew), 1024 open files, 8192 processes. The last counts all threads
 * of the user, a desktop's 2,000 to 3,000 included, so a lower bound would fail programs that do nothing wrong; root
 * is not held by it. `-u` in bash is `-p` in dash. A limit that is lower already stays: raising it fails, silently.
 */
const setLimits = "{ ulimit -c 0; ulimit -n 1024; ulimit -u 8192 || ulimit -p 8192; } 2>/dev/null;";

const shells = new Set(["sh", "dash", "bash"]);

/** A name that starts with a dash is an option to bash, unless `--` precedes it; to dash `--` is the program. */
const execDashed = 'if (exec -- true) 2>/dev/null; then exec -- "$@"; else exec "$@"; fi';

/**
 * The command line under Linux resource limits. Node cannot set them for a child; a shell can.
 *
 * A shell line sets them in the shell it has anyway: 2.10 ms with, 2.11 ms without (median of 200), so it always
 * does. Any other program needs a shell that sets them and then becomes the program: 1.95 ms without, 2.89 ms with
 * (1.4 to 1.5 times; `prlimit` 1.5). It also drops variables whose names a shell cannot hold and adds `PWD`. That is
 * the caller's choice.
 */
export function withUlimits(
  argv: readonly [string, ...string[]],
  isWrapped: boolean,
): readonly [string, ...string[]] {
  if (process.platform !== "linux") return argv;
  const [program, option, line, ...args] = argv;
  // Somebody's own program may be called `sh` as well: where limits are asked for, only the shell of the system counts.
  const isShell = isWrapped ? program === "/bin/sh" : shells.has(basename(program));
  if (option === "-c" && line !== undefined && isShell) {
    // On the same line, so that the numbers in the shell's messages stay right.
    return [program, option, `${setLimits} ${line}`, ...args];
  }
  if (!isWrapped) return argv;
  const exec = program.startsWith("-") ? execDashed : 'exec "$@"';
  return ["/bin/sh", "-c", `${setLimits} ${exec}`, "sh", ...argv];
}
