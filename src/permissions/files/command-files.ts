import { operands } from "../detect/flags.ts";
import type { ShellCommand } from "../shell/command.ts";
import { optionValue } from "../shell/launch/options.ts";
import { marks } from "../shell/marks.ts";
import { filesInPatch } from "./patch-files.ts";

const maxPieces = 64;

/** Every word of a command that may name a file: whole, and what follows `=`, `:`, `@` or `,` in it. */
export function namedFiles(command: ShellCommand, home: string): string[] {
  const words = [
    ...(command.path.includes("/") ? [command.path] : []),
    ...command.args,
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
    if (separators.test(word)) files.push(...piecesOf(word));
    else if (/^-[A-Za-z][./~]/.test(word)) files.push(word.slice(2));
  }
  return files.map((file) => (file === "~" || file.startsWith("~/") ? home + file.slice(1) : file));
}

const searchers = new Set(["find", "gfind", "fd", "fdfind", "locate", "rg", "ag", "ack", "grep", "git"]);

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
    files.push(...lastOperand(args), ...(program === "mv" ? operands(args) : []));
  else if (program === "sed" || program === "perl" || program === "ruby") {
    if (args.some((arg) => /^-[A-Za-z]*i|^--in-place/.test(arg))) files.push(...operands(args));
  } else if (program === "dd")
    files.push(...args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3)));
  else if (program === "curl") files.push(optionValue(args, "o", "output") ?? "");
  else if (program === "wget") files.push(optionValue(args, "O", "output-document") ?? "");
  else if (program === "apply_patch" || program === "applypatch") {
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

/** The target of a copy: the last operand, or what `-t` names. */
function lastOperand(args: readonly string[]): string[] {
  const folder = optionValue(args, "t", "target-directory");
  return folder === undefined ? operands(args).slice(-1) : [folder];
}
