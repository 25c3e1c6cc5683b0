import { operands } from "../detect/flags.ts";
import type { ShellCommand } from "../../shell/command.ts";
import { optionValue } from "../../shell/programs/options.ts";
import { marks } from "../../shell/marks.ts";
import { isMessage } from "../../shell/programs/text-programs.ts";
import { filesInPatch } from "./patch-files.ts";

const maxPieces = 64;

/** Every word of a command that may name a file: whole, and what follows `=`, `:`, `@` or `,` in it. */
export function namedFiles(command: ShellCommand, home: string): string[] {
  const words = [
    ...(command.path.includes("/") ? [command.path] : []),
    ...wordsOf(command),
    ...command.redirects.map(({ target }) => target),
    ...command.assignments.map(([, value]) => value),
    ...(command.code === null ? [] : textsInCode(command.code)),
  ];
  const files: string[] = [];
  // These take patterns in quotes.
  if (searchers.has(command.program)) {
    for (const word of command.args) if (/[*?]/.test(word)) files.push(asPattern(word));
  }
  for (const word of words) {
    if (word === "" || isAddress(word)) continue;
    if (!word.startsWith("-")) files.push(word);
    if (/^file:.*%/i.test(word)) files.push(decodedAddress(word));
    // Another machine's path is looked for from the user's folder there, and it may be this machine.
    const [, remote] = remoteCopiers.has(command.program) ? (/^[^/:]+:([^/:].*)$/.exec(word) ?? []) : [];
    if (remote !== undefined) files.push(`${home}/${remote}`);
    if (separators.test(word)) files.push(...piecesOf(word));
    else if (/^-[A-Za-z][./~]/.test(word)) files.push(word.slice(2));
  }
  return files.map((file) => (file === "~" || file.startsWith("~/") ? home + file.slice(1) : file));
}

const greps = new Set(["grep", "egrep", "fgrep", "zgrep", "rg"]);

/** Without texts for people, and without what a search looks for. */
function wordsOf(command: ShellCommand): readonly string[] {
  const { program, args } = command;
  if (program === "echo" || program === "printf") return args.filter((arg) => !/\s/.test(arg.trim()));
  if (!greps.has(program)) return args.filter((_, at) => !isMessage(command, at));
  const isGiven = args.some((arg) => /^-[A-Za-z]*[ef]|^--(?:regexp|file|type-list)/.test(arg));
  const at = isGiven ? -1 : args.findIndex((arg) => !arg.startsWith("-"));
  return args.filter((_, other) => other !== at);
}

const remoteCopiers = new Set(["scp", "rsync", "sftp"]);

function decodedAddress(word: string): string {
  const path = word.replace(/^file:(?:\/\/[^/]*)?/i, "");
  return path.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const searchers = new Set([
  ...["find", "gfind", "fd", "fdfind", "locate", "rg", "ag", "ack", "grep", "git"],
  ...["unzip", "tar", "bsdtar", "7z", "7za", "cpio", "jar", "pax"],
]);

/** With the marks of a shell's pattern in place of `*` and `?`. */
export function asPattern(word: string): string {
  return word.replaceAll("*", marks.anyRun).replaceAll("?", marks.anyOne);
}

const separators = /[=:@,\s"'()<]/;

function isAddress(word: string): boolean {
  return /^(?:https?|ssh|git|s3|gs|docker|oci):\/\//.test(word);
}

function piecesOf(word: string): string[] {
  return word
    .split(/[=:@,\s"'()<>;|]+/, maxPieces)
    .filter((piece) => piece.length > 1)
    .map((piece) => (piece.startsWith("//") ? piece.slice(1) : piece));
}

/** Texts in quotes that have the form of a path. */
function textsInCode(code: string): string[] {
  return code
    .slice(0, 64 * 1024)
    .split(/["'`]/, 2_000)
    .filter((text) => text.length < 300 && /[./~]/.test(text) && !/\s/.test(text));
}

/** What a command would write, replace or remove, as far as its kind tells. */
export function writtenFiles(command: ShellCommand): string[] {
  const { program, args } = command;
  const files = command.redirects
    .filter(({ operator }) => operator.includes(">"))
    .map(({ target }) => target);
  if (writesAll.has(program)) files.push(...operands(args));
  else if (writesLast.has(program))
    files.push(...lastOperand(args), ...intoFolder(command), ...(program === "mv" ? operands(args) : []));
  else if (program === "sed" || program === "perl" || program === "ruby") {
    if (args.some((arg) => /^-[A-Za-z]*i|^--in-place/.test(arg))) files.push(...operands(args));
  } else if (program === "dd")
    files.push(...args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3)));
  else if (program === "curl") {
    const isNamedAlike = args.some((arg) => /^-[A-Za-z]*O|^--remote-name/.test(arg));
    const names = isNamedAlike ? namesOfAddresses(args, optionValue(args, null, "output-dir")) : [];
    files.push(optionValue(args, "o", "output") ?? "", ...names);
  } else if (program === "wget") {
    const file = optionValue(args, "O", "output-document");
    const names = namesOfAddresses(args, optionValue(args, "P", "directory-prefix"));
    files.push(...(file === undefined ? names : [file]));
  } else if (program === "apply_patch" || program === "applypatch") {
    files.push(...filesInPatch([...args, command.stdin ?? ""].join("\n")));
  } else if (program === "find" && args.includes("-delete")) files.push(...operands(args).slice(0, 1));
  if (
    command.code !== null &&
    /\bopen\b|write|unlink|remove|rename|copy|chmod|rmtree|mkdir/.test(command.code)
  ) {
    files.push(...textsInCode(command.code));
  }
  return files;
}

const writesAll = new Set([
  "tee",
  "rm",
  "rmdir",
  "unlink",
  "shred",
  "truncate",
  "touch",
  "mkdir",
  "chmod",
  "chown",
  "chattr",
  "patch",
  "ed",
  "ex",
  "vi",
  "vim",
  "nvim",
  "nano",
  "emacs",
  "sponge",
  "rimraf",
  "remove-item",
  "set-content",
  "add-content",
  "out-file",
  "new-item",
]);

const writesLast = new Set(["cp", "mv", "install", "ln", "rsync", "scp", "copy-item", "move-item"]);

/** Folders by their form: `.`, `../`, `sub/`, a user's own. What is copied elsewhere is mostly kept there as a copy. */
const folderForm = /^(?!\/)(?:.*\/)?\.{0,2}$|^(?!\/).*\/$|^\/(?:home\/|Users\/|root$)[^/]*\/?$/;

/** What is made in the folder that the last operand is: `cp -r other/.claude .` */
function intoFolder({ args, cwd }: ShellCommand): string[] {
  const [folder = ""] = lastOperand(args);
  if (folder === "" || !(folderForm.test(folder) || folder.replace(/\/$/, "") === cwd)) return [];
  const names = operands(args).flatMap((from) => /([^/]+)\/?$/.exec(from)?.[1] ?? []);
  return names.map((name) => `${folder}/${name}`);
}

/** Files that are called like the last part of an address. */
function namesOfAddresses(args: readonly string[], folder = "."): string[] {
  const names = operands(args).flatMap(
    (arg) => /^(?:\w+:\/\/)?[^/]+\/(?:[^?#]*\/)?([^/?#]+)/.exec(arg)?.[1] ?? [],
  );
  return names.map((name) => `${folder}/${name}`);
}

/** The target of a copy: the last operand, or what `-t` names. */
function lastOperand(args: readonly string[]): string[] {
  const folder = optionValue(args, "t", "target-directory");
  return folder === undefined ? operands(args).slice(-1) : [folder];
}
