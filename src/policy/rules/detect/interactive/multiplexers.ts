import { programName } from "../../../shell/command.ts";
import { firstOperand } from "../../../shell/programs/options.ts";
import { shellPrograms } from "../../../shell/programs/shells.ts";

/** Subcommands of tmux that open a shell where no other command is given. */
const opening =
  /^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawn-window|popup|display-popup)$/;
const attaching = /^(?:a|at|att|attach|attach-session)$/;

/**
 * Whether a terminal multiplexer opens a shell, or a terminal onto one that is there. Into a shell that was opened without
 * a terminal other calls can type letter by letter.
 */
export function opensMultiplexer(program: string, args: readonly string[]): boolean {
  if (program === "tmux" || program === "tmate") return opensTmux(args);
  if (program === "screen") return opensScreen(args);
  if (program === "zellij" || program === "byobu")
    return args.length === 0 || /^(?:attach|a|-s|--session|options)$/.test(args[0] ?? "");
  return program === "dtach" || program === "abduco" || program === "reptyr";
}

function opensTmux(args: readonly string[]): boolean {
  const at = firstOperand(args, { short: "cfLST" });
  const subcommand = args[at];
  if (subcommand === undefined) return !args.some((arg) => /^-[A-Za-z]*V/.test(arg));
  if (attaching.test(subcommand)) return true;
  if (!opening.test(subcommand)) return false;
  const rest = args.slice(at + 1);
  return isShell(rest.slice(firstOperand(rest, { short: "cefFnstxylp" })));
}

function opensScreen(args: readonly string[]): boolean {
  if (args.some((arg) => /^-(?:ls|list|X|Q|v|wipe|-version|-help)/.test(arg))) return false;
  return isShell(args.slice(firstOperand(args, { short: "ScehptTsLO" })));
}

/** None, or a shell without a script. */
function isShell(words: readonly string[]): boolean {
  const [first = "", ...args] = words.length === 1 ? (words[0] ?? "").trim().split(/\s+/) : words;
  if (first === "" || first === ";") return true;
  return shellPrograms.has(programName(first)) && args.every((arg) => /^-[il]+$/.test(arg));
}
