import { hasFlag } from "../detect/flags.ts";
import { onlyLists } from "../detect/only-lists.ts";
import { changesFiles, isReaderName, onlyReads } from "../detect/only-reads.ts";
import { absolutePath } from "../detect/place.ts";
import type { Facts } from "../facts.ts";
import type { ShellCommand } from "../../shell/command.ts";
import { readGit } from "../../shell/programs/git.ts";
import { isForeign } from "./action-files.ts";
import { namedFiles, writtenFiles } from "./command-files.ts";
import { isPlain } from "../../shell/marks.ts";
import { filesInPatch } from "./patch-files.ts";
import { PathText } from "./path-text.ts";

/**
 * What happens to a folder: it is taken away with all it holds, closed or covered; files directly in it may change; or it
 * is made, which leaves what is in it.
 */
export type FolderChange = "removed" | "used" | "made";

/** A path that an action may change. */
export interface ChangedPath {
  /** Absolute; what is not known of it is marked. */
  readonly path: PathText;
  readonly asFolder: FolderChange;
}

/** Every path an action may change, under the name it is given and under the one that links make of it. */
export function changedPaths({
  action,
  line,
  place,
  files,
}: Pick<Facts, "action" | "line" | "place" | "files">): ChangedPath[] {
  const found: ChangedPath[] = [];
  const real = new Map(files.map(({ path, realPath }) => [path.text, realPath]));
  const add = (text: string, asFolder: FolderChange): void => {
    found.push({ path: new PathText(text), asFolder });
    const realPath = real.get(text);
    if (realPath !== null && realPath !== undefined) found.push({ path: realPath, asFolder });
  };
  // A command says more than its tool; a tool that is not known may take paths besides.
  if (line === null || isForeign(action)) {
    const asFolder = /mkdir|create_?(?:dir|folder)/i.test(action.name) ? "made" : "removed";
    for (const { path, isWritten } of files) if (isWritten) add(path.text, asFolder);
  }
  for (const command of line?.commands ?? []) {
    const asFolder = folderChange(command);
    for (const path of changedBy(command, place.home)) add(path, asFolder);
    for (const path of patchedBy(command, place)) add(path, "used");
  }
  return found;
}

/** Without a name of their own these write into the folder they are run in. */
const extractors: ReadonlySet<string> = new Set(["tar", "bsdtar", "unzip", "7z", "7za", "cpio", "bsdcpio"]);

function changedBy(command: ShellCommand, home: string): Set<string> {
  const { program, args, cwd } = command;
  const isReader = onlyReads(command);
  const isCodeHarmless = command.code !== null && !changesFiles(command.code);
  const written = writtenFiles(isCodeHarmless ? { ...command, code: null } : command);
  const words = [...(isReader ? [] : namedFiles(named(command), home)), ...written];
  // `git -C folder rm name`
  const folders = program === "git" ? readGit(args).folders : [];
  const base = folders.reduce<string | null>((from, folder) => absolutePath(folder, from), cwd);
  const paths = new Set(words.map((word) => absolutePath(word, base)));
  if (!isReader) {
    for (const lister of listersFor(command)) {
      for (const word of namedFiles(named(lister), home)) paths.add(absolutePath(word, lister.cwd));
    }
  }
  if (!isReader && extractors.has(program) && cwd !== null) {
    paths.add(cwd);
    // `git archive other .claude | tar x`
    for (const { args: packed } of command.inputs) {
      for (const name of packed)
        if (/^[~./\w]/.test(name) && !/\s/.test(name)) paths.add(absolutePath(name, cwd));
    }
  }
  if (program === "rsync" && hasFlag(args, null, "remove-source-files"))
    for (const name of args) if (!name.startsWith("-")) paths.add(absolutePath(name, cwd));
  if (program === "rsync") for (const name of includedBy(command)) paths.add(absolutePath(name, cwd));
  return paths;
}

/** The files of a patch that stands in the line, or in a file that is there. */
function patchedBy({ program, args, stdin, redirects, cwd }: ShellCommand, place: Facts["place"]): string[] {
  const call = program === "git" ? readGit(args) : null;
  if (program !== "patch" && (call === null || !/^(?:apply|am)$/.test(call.subcommand))) return [];
  const given = [
    ...(call?.args ?? args),
    ...redirects.filter(({ operator }) => operator === "<").map(({ target }) => target),
  ];
  const files = given
    .map((arg) => arg.replace(/^(?:-i|--input=)(?=.)/, ""))
    .filter((arg) => !arg.startsWith("-"));
  const read = files.map((file) => (isPlain(file) ? place.readText(absolutePath(file, cwd)) : null));
  const names = [stdin, ...read].flatMap((text) => (text === null ? [] : filesInPatch(text)));
  // A relative name counts from the folder, and from the top of the project.
  return names.flatMap((name) => [absolutePath(name, cwd), absolutePath(name, place.root)]);
}

/** `rsync x/ ./ --include=.claude/settings.json` */
function includedBy({ args }: ShellCommand): string[] {
  const to = args.findLast((arg) => !arg.startsWith("-")) ?? ".";
  const isRelative = hasFlag(args, "R", "relative");
  const from = isRelative ? args.filter((arg) => !arg.startsWith("-") && arg !== to) : [];
  const names = [
    ...args.flatMap((arg) => /^--include=\/?(.+)$/.exec(arg)?.[1] ?? []),
    ...from.map((name) => name.slice(name.indexOf("/./") === -1 ? 0 : name.indexOf("/./") + 3)),
  ];
  return names.filter((name) => !name.includes("*")).map((name) => `${to}/${name}`);
}

/** Commands that print the names of files for another one: `rm $(ls …)`, `ls … | xargs rm`. */
function listersFor({ program, args, inputs, substituted }: ShellCommand): ShellCommand[] {
  const isStarter = program === "xargs" || program === "gxargs" || program === "parallel";
  const started = isStarter ? args.find((arg) => isReaderName(arg)) : undefined;
  const listed = isStarter && started === undefined ? [...inputs, ...substituted] : substituted;
  return listed.filter((lister) => lister.program !== "" && onlyLists(lister));
}

/** Without the program's own path, which is run, and without sentences, which may mention any file. */
function named(command: ShellCommand): ShellCommand {
  const isPath = (arg: string) => !/\s/.test(arg) || /^(?:~?\/|\.{1,2}\/)[^\n]*$/.test(arg);
  return { ...command, path: "", args: command.args.filter(isPath), code: null };
}

/** Programs that take a folder away, move, cover or close it. */
const removers: ReadonlySet<string> = new Set([
  ...["rm", "rmdir", "unlink", "shred", "rimraf", "trash", "trash-put", "gio", "mv", "rename", "remove-item"],
  ...["move-item", "mount", "umount", "bwrap", "bindfs", "sshfs", "chmod", "chown", "chgrp", "chattr", "ln"],
  ...["setfacl", "find", "gfind", "fd", "fdfind", "xargs", "gxargs", "parallel"],
]);
const gitRemovers: ReadonlySet<string> = new Set([
  "rm",
  "mv",
  "clean",
  "checkout",
  "restore",
  "stash",
  "reset",
]);

function folderChange({ program, args, code }: ShellCommand): FolderChange {
  if (program === "mkdir" || program === "touch" || program === "new-item") return "made";
  if (removers.has(program)) return "removed";
  if (program === "git" && gitRemovers.has(readGit(args).subcommand)) return "removed";
  if (program === "rsync" && hasFlag(args, null, "delete", "remove-source-files")) return "removed";
  return code !== null && /rm|remov|delete|unlink|renam|move/i.test(code) ? "removed" : "used";
}
