import type { Action } from "../action.ts";
import { analyseArgv, analyseShell, type ShellPlace } from "../../shell/analyse.ts";
import { isBeyondBounds, type ShellLine } from "../../shell/command.ts";
import { maxCodeChars } from "../../shell/programs/code.ts";
import { interpreterOf } from "../../shell/programs/table.ts";
import { isPathName } from "./argument-paths.ts";
import {
  type ArgumentGroup,
  comparedName,
  isFileContent,
  type ToolArguments,
  tooManyArguments,
} from "./read-arguments.ts";
import { spokenLine } from "./spoken-commands.ts";
import { words } from "../../shell/programs/words.ts";

/** Arguments whose value is a line for a shell. */
const lineNames = words(`
  command commands cmd cmds commandline shellcommand bashcommand script scripts argv shellscript
  bashscript`);

/**
 * Arguments whose value may be one. What they come to counts; that part of it cannot be told does not, or every text for
 * people would be asked about.
 */
const maybeNames = new Set([
  ...["input", "line", "lines", "program", "executable", "binary", "bin", "exec", "execute", "run", "stdin"],
  ...["keys", "keystrokes", "chars", "bash", "shell", "sh", "terminal", "steps", "process", "hook", "sql"],
]);

/** Arguments whose value is code in a language that another argument may name. */
const codeNames = words(`
  code snippet sourcecode expression statement statements function javascript python expr source`);

/** Names of a program where its arguments stand beside it. */
const programNames = [
  "program",
  "executable",
  "binary",
  "bin",
  "exec",
  "entrypoint",
  "command",
  "cmd",
  "name",
  "file",
  "path",
];
const argumentNames = new Set(["args", "argv", "arguments", "argumentlist", "params", "parameters"]);
const languageNames = words(`
  language lang runtime interpreter kernel engine shell type`);
const folderNames = new Set([
  ...["workdir", "cwd", "dirpath", "directory", "workingdirectory", "workingdir", "dir", "folder"],
]);

/** Words that tools for files take as `command`. `view` is also an editor. */
const fileVerbs = new Set(["view", "create", "str_replace", "insert", "undo_edit", "delete", "rename"]);

/** As many lines are read; more are said to be too many. */
const maxLines = 64;

interface Reading {
  readonly line: ShellLine;
  /** Whether it is one for sure, so that what cannot be told of it counts. */
  readonly isSure: boolean;
}

/** What a tool that nobody knows would run, as far as its arguments tell; null when there is no command among them. */
export function commandsAnywhere(
  { name }: Action,
  { groups, isCut }: ToolArguments,
  place: ShellPlace,
): ShellLine | null {
  const readings: Reading[] = [];
  const inCommands = new Set<ArgumentGroup>();
  for (const group of groups) {
    const { name: key, parent } = group;
    const isInCommand = isCommandName(key) || (parent !== null && inCommands.has(parent));
    if (isInCommand) inCommands.add(group);
    readings.push(...readGroup(name, group, isInCommand, place, maxLines - readings.length));
    if (readings.length >= maxLines) break;
  }
  const beyond = readings.length >= maxLines || isCut ? [tooManyArguments] : [];
  const [first] = readings;
  if (first === undefined)
    return beyond.length === 0 ? null : { commands: [], opaque: beyond, isSingle: false };
  if (readings.length === 1 && first.isSure && beyond.length === 0) return first.line;
  const unknown = readings.flatMap(({ line, isSure }) =>
    isSure ? line.opaque : line.opaque.filter(isBeyondBounds),
  );
  return {
    commands: readings.flatMap(({ line }) => line.commands),
    opaque: [...new Set([...unknown, ...beyond])],
    isSingle: false,
  };
}

function isCommandName(name: string): boolean {
  return lineNames.has(name) || maybeNames.has(name) || codeNames.has(name) || saysCommand.test(name);
}

/** Names with a word for commands in them: `run_command`, `preCommand`, `cmdline`, `shell_line`. */
const saysCommand = /command|cmd|shell|bash|terminal|(?<!de|tran|sub|man)script(?!ion)|toexec|torun/;

/** `isInCommand`: the object itself stands where a command is expected, so that any of its texts may be one. */
function readGroup(
  tool: string,
  group: ArgumentGroup,
  isInCommand: boolean,
  place: ShellPlace,
  room: number,
): Reading[] {
  const fields = Object.entries(group.values).map(([key, value]) => ({ name: comparedName(key), value }));
  const args = fields.flatMap(({ name, value }) => (argumentNames.has(name) ? wordsOf(value) : []));
  const isFiles = fields.some(({ name }) => isPathName(name));
  const readings: Reading[] = [];
  const here = () => ({ ...place, cwd: folderOf(group, place.cwd) });
  const shell = (line: string, isSure: boolean) =>
    readings.push({ line: analyseShell(line, here()), isSure });
  const argv = (words: readonly string[], isSure: boolean) =>
    readings.push({ line: analyseArgv(words, here()), isSure });
  const program = args.length === 0 ? undefined : programOf(fields);
  for (const { name, value } of fields) {
    if (readings.length >= room) break;
    if (program !== undefined && value === program) continue;
    const [isLine, isCode] = [lineNames.has(name), codeNames.has(name)];
    if (!isInCommand && !isCommandName(name)) {
      const isSearch = searchers.test(tool) && searched.test(name);
      if (!isFileContent(name) && !isSearch) readings.push(...spokenIn(value, here));
      continue;
    }
    if (typeof value === "string") {
      if (isFiles && fileVerbs.has(value)) continue;
      const language = languageOf(saidIn(fields));
      const isOther = language !== null && language !== "sh";
      if (isCode) readings.push(...readCode(value, language ?? languageOf([name, tool]), here()));
      else if (isLine && isOther) readings.push(...readCode(value, language, here()));
      if (!isCode) shell(value, isLine && !isOther);
    }
    for (const words of listsIn(value, room).slice(0, room)) {
      // A program and its arguments, or lines one after the other.
      argv(words, isLine);
      if (/s$/.test(name)) shell(words.join("\n"), isLine);
      else for (const word of words.slice(0, room)) if (/\s/.test(word)) shell(word, false);
    }
  }
  if (args.length > 0) {
    const named = program ?? tool.slice(tool.lastIndexOf("_") + 1);
    // Whether a shell reads them is for the server to say.
    argv([named, ...args], program !== undefined);
    shell([named, ...args].join(" "), false);
  }
  return readings;
}

/** Tools that look something up, and what they are told to look for. */
const searchers = /search|docs?(?:_|$)|lookup|find|ask|help/i;
const searched = /^(?:q|query|queries|question|terms?|keywords?|topic)$/;

/** Texts that are no command by their names, and may be run all the same. */
function spokenIn(value: unknown, here: () => ShellPlace): Reading[] {
  return [value].flat().flatMap((text) => {
    const line = typeof text === "string" ? spokenLine(text, here()) : null;
    return line === null ? [] : [{ line, isSure: false }];
  });
}

function programOf(fields: Fields): string | undefined {
  for (const wanted of programNames) {
    const found = fields.find(({ name, value }) => name === wanted && typeof value === "string");
    if (found !== undefined) return found.value as string;
  }
  return undefined;
}

/** The words of a list, and of each list in it; so many lists at most. */
function listsIn(value: unknown, room: number): readonly string[][] {
  if (!Array.isArray(value)) return [];
  const words = value.filter((item) => typeof item === "string" || typeof item === "number").map(String);
  const inner = value.filter((item) => Array.isArray(item)).slice(0, room);
  return [...(words.length === 0 ? [] : [words]), ...inner.flatMap((list) => listsIn(list, room))];
}

function wordsOf(value: unknown): readonly string[] {
  return typeof value === "string" && value !== "" ? [value] : (listsIn(value, 1)[0] ?? []);
}

type Fields = readonly { readonly name: string; readonly value: unknown }[];

function saidIn(fields: Fields): string[] {
  return fields.flatMap(({ name, value }) =>
    languageNames.has(name) && typeof value === "string" ? value : [],
  );
}

/** The program that would run code: `sh` for a shell; null when nothing tells. */
function languageOf(texts: readonly string[]): string | null {
  for (const text of texts) {
    const [found] = languages.find(([, pattern]) => pattern.test(text)) ?? [];
    if (found !== undefined) return found;
    const program = interpreterOf(text.slice(text.lastIndexOf("/") + 1).toLowerCase());
    if (program !== null) return program;
  }
  return null;
}

const languages: readonly (readonly [program: string, pattern: RegExp])[] = [
  ["sh", /(?:^|[^a-z])(?:ba|z|da|k)?sh(?:$|[^a-z])|shell|terminal/i],
  ["python", /python|jupyter|(?:^|[^a-z])py(?:$|[^a-z])/i],
  ["node", /javascript|typescript|(?:^|[^a-z])(?:js|ts|node|deno|bun)(?:$|[^a-z])/i],
  ["osascript", /applescript|osascript/i],
];

/** Without a language it is read in each of those it is mostly written in. */
function readCode(code: string, language: string | null, place: ShellPlace): Reading[] {
  if (code.length > maxCodeChars) {
    const line = analyseShell(code, place);
    return [{ line: { ...line, opaque: [...line.opaque, "the code is too long"] }, isSure: false }];
  }
  const asCode = (program: string) => analyseArgv([program, codeOptions[program] ?? "-e", code], place);
  if (language === "sh") return [{ line: analyseShell(code, place), isSure: true }];
  if (language !== null) return [{ line: asCode(language), isSure: true }];
  return [analyseShell(code, place), asCode("python"), asCode("node")].map((line) => ({
    line,
    isSure: false,
  }));
}

const codeOptions: Readonly<Record<string, string>> = { python: "-c", pypy: "-c", php: "-r" };

/** Where it would run: a folder its own arguments name, or those around it. */
function folderOf(group: ArgumentGroup, cwd: string | null): string | null {
  for (let around: ArgumentGroup | null = group; around !== null; around = around.parent) {
    for (const [key, value] of Object.entries(around.values)) {
      if (!folderNames.has(comparedName(key)) || typeof value !== "string") continue;
      return value.startsWith("/") ? value : cwd === null ? null : `${cwd}/${value}`;
    }
  }
  return cwd;
}
