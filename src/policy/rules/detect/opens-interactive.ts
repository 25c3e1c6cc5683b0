import type { ShellCommand, ShellLine } from "../../shell/command.ts";
import { firstOperand } from "../../shell/programs/options.ts";
import { hasUnknown, shown } from "../../shell/marks.ts";
import { takesOnlyText } from "../../shell/programs/text-programs.ts";
import { asStartedHere, commandInContainer } from "./interactive/containers.ts";
import { opensEditor } from "./interactive/editors.ts";
import { evaluatesInput, executesInput } from "./interactive/interpreters.ts";
import { LiveInput, readsStdin } from "./interactive/live-input.ts";
import { opensMultiplexer } from "./interactive/multiplexers.ts";
import { onlyReads } from "./only-reads.ts";
import { asksForPrompt, leadsToShell, showsPrompt } from "./interactive/prompts.ts";
import { words } from "../../shell/programs/words.ts";

/**
 * Something in a line that executes what is typed into it later: a shell or another interpreter without a script, a
 * prompt, a loop over what is read. Whoever judges the line has not seen what comes then.
 */
export function opensInteractive(line: ShellLine): string | null {
  const live = new LiveInput(line);
  for (const command of line.commands) if (isInteractive(command, live)) return shownCommand(command);
  for (const { substituted } of line.commands) {
    const typed = substituted.find((command) => live.passesOn(command));
    if (typed !== undefined) return shownCommand(typed);
  }
  const read = line.commands.find((command) => isReadThenUsed(command, line, live));
  return read === undefined ? null : shownCommand(read);
}

/** Something on the terminal that starts a shell, or talks to another machine, when it is told to. */
export function hasShellEscape(line: ShellLine): string | null {
  const live = new LiveInput(line);
  const passedOn = new Set(line.commands.flatMap(({ inputs, substituted }) => [...inputs, ...substituted]));
  const found = line.commands.find((command) => {
    if (opensEditor(command, !passedOn.has(command) && !writesFile(command))) return true;
    return live.isLive(command) && leadsToShell(command.program, command.args);
  });
  return found === undefined ? null : shownCommand(found);
}

function isInteractive(command: ShellCommand, live: LiveInput): boolean {
  const { program, args } = command;
  if (opensMultiplexer(program, args) || opensToOthers(command)) return true;
  if (!live.isLive(command)) return false;
  const inside = commandInContainer(command);
  if (inside !== null) return inside.length === 0 || isInteractive(asStartedHere(command, inside), live);
  if (/^(?:source|\.)$/.test(program)) return isStdinName.test(args[0] ?? "");
  return (
    executesInput(command, live) ??
    showsPrompt(program, args) ??
    (takesWords(command) ||
      (mayPrompt(command) && asksForPrompt(args)) ||
      isRemoteShell(program, args) ||
      startsShell(program, args) ||
      writesWhatIsTyped(command, live))
  );
}

/** Words of those that only handle files and texts are names of these. */
function mayPrompt(command: ShellCommand): boolean {
  return command.program !== "" && !takesOnlyText(command.program) && !onlyReads(command);
}

const isStdinName = /^\/(?:dev\/(?:stdin|tty|fd\/0)|proc\/self\/fd\/0)$/;

/** xargs and its like start a program with words that are typed. awk and its like may give them to a shell. */
function takesWords(command: ShellCommand): boolean {
  const { program, args, code } = command;
  if (program === "xargs" || program === "gxargs") return !args.some((arg) => /^-a|^--arg-file/.test(arg));
  if (program === "parallel") return !args.some((arg) => /^:{3,4}|^-a|^--arg-file/.test(arg));
  if (/^[gmn]?awk$/.test(program)) return readsStdin(command) && args.some(awkRunsInput);
  if (program === "make" || program === "gmake")
    return args.some((arg, at) => (/^-f-?$/.test(arg) && /^-?$/.test(args[at + 1] ?? "")) || arg === "-f-");
  return code !== null && evaluatesInput(code);
}

/** Code that runs something, and not only before it reads anything. */
function awkRunsInput(code: string): boolean {
  return /\bsystem\s*\(|\|\s*(?:getline|")/.test(code) && !/^\s*BEGIN\s*\{[^}]*\}\s*$/.test(code);
}

/** `ssh host` without a command, unless it only forwards ports. */
function isRemoteShell(program: string, args: readonly string[]): boolean {
  if (program !== "ssh" && program !== "slogin" && program !== "autossh") return false;
  const at = firstOperand(args, { short: "BbcDEeFIiJLlmOopQRSWw" });
  if (at === args.length || args.slice(0, at).some((arg) => /^-[A-Za-z]*[NVQGOW]/.test(arg))) return false;
  return args.slice(at + 1).filter((arg) => arg !== "--").length === 0;
}

/** `script`, `gcloud compute ssh x`, `aws ssm start-session`: a shell, here or elsewhere. */
function startsShell(program: string, args: readonly string[]): boolean {
  switch (program) {
    case "script":
      return (
        !args.some((arg) => /^-[A-Za-z]*c|^--command|^--version|^--help/.test(arg)) &&
        args.filter((arg) => !arg.startsWith("-")).length < 2
      );
    case "gcloud":
    case "az":
      return args.includes("ssh") && !args.some((arg) => /^--command|^--$/.test(arg));
    case "aws":
      return args.includes("start-session") || args.includes("execute-command");
    default:
      return false;
  }
}

/** `nc -e`, `socat … EXEC:`, `ttyd`: whoever connects types into it. */
function opensToOthers({ program, args }: ShellCommand): boolean {
  if (/^(?:nc|ncat|netcat)$/.test(program)) {
    return args.some(
      (arg, at) =>
        /^-[A-Za-z]*e$|^--(?:sh-)?exec/.test(arg) ||
        // Elsewhere it stands for TLS, and a host follows.
        (/^-[A-Za-z]*c$/.test(arg) && /[/\s]|^(?:ba|z|da|k)?sh$/.test(args[at + 1] ?? "")),
    );
  }
  if (program === "socat") return args.some((arg) => /(?:^|,|!!)(?:exec|system|shell):/i.test(arg));
  return /^(?:ttyd|gotty|websocketd|wetty|tmate|upterm)$/.test(program);
}

/** `cat > script`: what is typed becomes a file that something else runs. */
function writesWhatIsTyped(command: ShellCommand, live: LiveInput): boolean {
  return (
    live.passesOn(command) &&
    (writesFile(command) || command.program === "tee" || command.program === "sponge")
  );
}

function writesFile({ redirects }: ShellCommand): boolean {
  return redirects.some(
    ({ operator, target }) =>
      operator.includes(">") && !/^(?:&?\d|-|\/dev\/(?:null|stderr|stdout|tty))$/.test(target),
  );
}

/** `read x; eval "$x"`: what is read from the terminal is part of another command. */
function isReadThenUsed(command: ShellCommand, { commands, opaque }: ShellLine, live: LiveInput): boolean {
  const { program, args } = command;
  if (!/^(?:read|mapfile|readarray|select)$/.test(program) || !live.isLive(command)) return false;
  // From another descriptor than the terminal's.
  if (args.some((arg, at) => (/^-[A-Za-z]*u$/.test(arg) ? args[at + 1] !== "0" : /^-u[1-9]/.test(arg))))
    return false;
  return (
    opaque.length > 0 ||
    commands.some(
      ({ program: used, path, args: words }) => !says.has(used) && [path, ...words].some(hasUnknown),
    )
  );
}

const says = words(`
  read echo printf [ test [[ case mapfile readarray select exit return`);

function shownCommand({ path, args }: ShellCommand): string {
  return shown([path, ...args].join(" ")).trim();
}
