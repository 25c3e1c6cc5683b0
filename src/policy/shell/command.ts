/** One command a line would run: variables replaced, quotes gone, what wraps it taken off. */
export interface ShellCommand {
  /** Last part of its path, lower case: `/usr/bin/Git` is `git`. Empty when it is not known. */
  readonly program: string;
  /** As the line calls it. */
  readonly path: string;
  /** Expanded; what stays open is marked, see `marks.ts`. */
  readonly args: readonly string[];
  /** Null: not known. */
  readonly cwd: string | null;
  readonly redirects: readonly { readonly operator: string; readonly target: string }[];
  /** `NAME=value` before it. */
  readonly assignments: readonly (readonly [name: string, value: string])[];
  /** Commands whose output it reads: through a pipe, or `<( … )`. */
  readonly inputs: readonly ShellCommand[];
  /** Commands whose output stands in its words. */
  readonly substituted: readonly ShellCommand[];
  /** What it reads on stdin, if that stands in the line itself. */
  readonly stdin: string | null;
  /** A program in another language, given in its arguments or on stdin. */
  code: string | null;
  /** Another command starts it, or it stands in `$( … )`, `eval` or `sh -c`. */
  readonly isNested: boolean;
}

/** Everything a line would run. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why some of it could not be told, in words; empty when all of it could. */
  readonly opaque: readonly string[];
  /** One command and nothing else: no list, pipe, substitution or redirection to a file. */
  readonly isSingle: boolean;
}

/** Whether something could not be told because there is more of it than is read. Reasons for that say that it is too much. */
export function isBeyondBounds(why: string): boolean {
  return /\btoo (?:long|many|much|deeply)\b/.test(why);
}

/** `/usr/bin/git`, `GIT.EXE` and zsh's `=git` are `git`. */
export function programName(path: string): string {
  if (path.startsWith("=")) return programName(path.slice(1));
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") || name.endsWith(".cmd") ? name.slice(0, -4) : name;
}

const copiers = new Set(["cp", "mv", "ln", "install"]);

/** Files that have another name after a command: `cp a b` is `b`, or `b/a` where `b` is a folder. */
export function copiedFiles({ program, args }: ShellCommand): { from: string; to: string }[] {
  if (!copiers.has(program)) return [];
  const files = args.filter((arg) => !arg.startsWith("-"));
  const to = files.pop();
  if (to === undefined) return [];
  return files.flatMap((from) => [
    { from, to },
    { from, to: `${to}/${from.slice(from.lastIndexOf("/") + 1)}` },
  ]);
}

/** `mkdir -p` */
export function hasParents(args: readonly string[]): boolean {
  return args.some((arg) => /^-\w*p|^--parents$/.test(arg));
}

/** Folders that a command makes, or takes away. */
export function changedFolders({
  program,
  args,
}: ShellCommand): { readonly path: string; readonly became: "made" | "gone" }[] {
  const operands = args.filter((arg) => !arg.startsWith("-"));
  switch (program) {
    case "mkdir":
      // Without -p it fails where the folder around it is not there.
      return operands
        .filter((path) => !path.includes("/") || hasParents(args))
        .map((path) => ({ path, became: "made" }));
    case "rm":
    case "rmdir":
      return operands.map((path) => ({ path, became: "gone" }));
    case "mv":
      return operands.slice(0, -1).map((path) => ({ path, became: "gone" }));
    default:
      return [];
  }
}
