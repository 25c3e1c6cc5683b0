import { appended } from "../interpret/assign.ts";
import type { Launcher, Launching } from "./launching.ts";
import { isPlain, marks } from "../marks.ts";
import { outputOf } from "../interpret/output.ts";

/** What changes the shell itself: its folder, its variables, what its names stand for. */
export const builtins: Readonly<Record<string, Launcher>> = {
  cd: changeFolder,
  pushd: changeFolder,
  chdir: changeFolder,
  "set-location": changeFolder,
  popd: ({ state }) => {
    state.changeFolder(null);
    return silent;
  },
  exit: end,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  read: readLine,
  mapfile: readLines,
  readarray: readLines,
  getopts: forget,
  unset: ({ command, state }) => {
    if (command.args[0] === "-f") return silent;
    for (const arg of command.args) {
      // `unset 'a[1]'` takes one of its words.
      const name = arg.replace(/\[.*$/s, "");
      if (state.isArray(name)) state.forgetWords(name);
      if (isName(arg)) state.variables.set(arg, arg === "IFS" ? " \t\n" : marks.unknown);
    }
    return silent;
  },
  printf: ({ command, assign }) => {
    const { args } = command;
    if (args[0] === "-v" && args[1] !== undefined)
      assign(args[1], outputOf({ ...command, args: args.slice(2) }) ?? marks.unknown);
    return undefined;
  },
  set: ({ command, state }) => {
    for (const [at, arg] of command.args.entries()) {
      const isAll = /^[-+]\w*a/.test(arg) || (/^[-+]\w*o$/.test(arg) && command.args[at + 1] === "allexport");
      if (isAll) state.exportsAll = arg.startsWith("-");
    }
    const at = command.args.findIndex((arg) => !/^[-+][A-Za-z]/.test(arg));
    // `set -o pipefail` names an option, `set -- a b` the arguments.
    if (at !== -1 && !/o$/.test(command.args[at - 1] ?? "")) {
      state.positional = command.args.slice(command.args[at] === "--" ? at + 1 : at);
    }
    return silent;
  },
  shift: ({ command, state }) => {
    const [count = "1"] = command.args;
    state.positional = state.positional?.slice(Number(count)) ?? null;
    return silent;
  },
  alias: ({ command, state }) => {
    for (const arg of command.args) {
      const at = arg.indexOf("=");
      if (at > 0) state.aliases.set(arg.slice(0, at), arg.slice(at + 1));
    }
    return silent;
  },
  unalias: ({ command, state }) => {
    for (const arg of command.args) state.aliases.delete(arg);
    return silent;
  },
};

const silent = { commands: [], text: "" };

function end({ state }: Launching) {
  state.hasEnded = true;
  return silent;
}

function changeFolder({ command, state }: Launching) {
  const [folder = state.get("HOME"), ...more] = command.args.filter((arg) => !/^-[LPe@]+$|^--$/.test(arg));
  const isKnown = isPlain(folder) && more.length === 0 && !/^[-+]|^~\d/.test(folder);
  // `cd a` may then be in another place altogether.
  const isSought = state.variables.has("CDPATH") && !/^\.{0,2}\//.test(folder);
  state.changeFolder(isKnown && !isSought ? folder : null);
  return silent;
}

function declare({ command, assign, state }: Launching) {
  let array: string | null = null;
  const isLocal =
    !["export", "readonly"].includes(command.program) && !command.args.some((arg) => /^-\w*g/.test(arg));
  const isExport = command.program === "export" || command.args.some((arg) => /^-\w*x/.test(arg));
  const isTakenBack = isExport && command.args.includes("-n");
  for (const arg of command.args) {
    const [declared] = /^[A-Za-z_]\w*/.exec(arg) ?? [];
    if (declared !== undefined && isLocal) state.makeLocal(declared, declared === arg);
    if (declared !== undefined && isExport) state.exported.restore(declared, isTakenBack ? undefined : "yes");
    const [, name, value] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(arg) ?? [];
    // `declare -a x=(a b)`: the words come after the name.
    if (name === undefined && array !== null) state.extend(array, [arg]);
    if (name === undefined) continue;
    array = value === "" ? name : null;
    assign(name, arg.startsWith(`${name}+`) ? appended(state, name, value ?? "") : (value ?? ""));
  }
  return silent;
}

/** Of a loop's input each line is read in turn. The last name has what is left of it. */
function readLine(launching: Launching) {
  const { command, state, assignSeveral } = launching;
  const names = command.args.filter((arg) => arg !== "-r");
  const separators = state.get("IFS");
  const isPlainRead =
    names.length > 0 && names.every(isName) && (separators === " \t\n" || separators === "");
  if (command.stdin === null || !isPlainRead) return forget(launching);
  const lines = linesOf(command.stdin).map((line) =>
    separators === "" ? [line] : line.trim().split(/[ \t]+/),
  );
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1;
    assignSeveral(
      name,
      lines.map((words) => (isLast ? words.slice(at).join(" ") : (words[at] ?? ""))),
    );
  }
  return silent;
}

function readLines(launching: Launching) {
  const { command, state } = launching;
  const [name, ...more] = command.args.filter((arg) => arg !== "-t");
  if (command.stdin === null || name === undefined || !isName(name) || more.length > 0) {
    return forget(launching);
  }
  state.replace(name, linesOf(command.stdin));
  return silent;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function forget({ command, assign }: Launching) {
  for (const arg of command.args) if (isName(arg)) assign(arg, marks.unknown);
  return silent;
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}
