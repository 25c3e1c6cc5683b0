import { analyseShell, type ShellPlace } from "../../shell/analyse.ts";
import { programName, type ShellCommand, type ShellLine } from "../../shell/command.ts";
import { launcherOf } from "../../shell/launchers.ts";
import { mayConcernGuards } from "../../shell/launch/unknown.ts";

/** Longer texts are for people. */
const maxChars = 4_096;

/** Programs that a command line may begin with, besides those that start others. */
const programs: ReadonlySet<string> = new Set([
  ...[
    "swarm",
    "swarm-hooks",
    "cat",
    "cp",
    "mv",
    "rm",
    "ln",
    "tee",
    "dd",
    "head",
    "tail",
    "less",
    "base64",
    "xxd",
  ],
  ...[
    "strings",
    "sort",
    "grep",
    "rg",
    "chmod",
    "chown",
    "truncate",
    "touch",
    "kill",
    "pkill",
    "killall",
    "curl",
  ],
  ...[
    "wget",
    "http",
    "xh",
    "nc",
    "socat",
    "docker",
    "podman",
    "systemctl",
    "launchctl",
    "service",
    "brew",
    "mount",
  ],
  ...[
    "tar",
    "unzip",
    "zip",
    "cpio",
    "patch",
    "rsync",
    "scp",
    "install",
    "echo",
    "printf",
    "fuser",
    "cd",
    "gdb",
  ],
  ...[
    "claude",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "opencode",
    "cursor-agent",
    "sqlite3",
    "openssl",
    "gcore",
  ],
]);

/**
 * A text under a name that is none of a command's (`text`, `prompt`, `query`), as the line a server may run of it. Only one
 * that begins as a command and is about what rules protect counts; null for all others, which are nearly all there are.
 */
export function spokenLine(text: string, place: ShellPlace): ShellLine | null {
  if (text.length > maxChars || !mayConcernGuards(text)) return null;
  const lines = [text.replaceAll(/\r\n?/g, "\n").replace(/^\s*[$#>]\s+/, ""), ...quotedCommands(text)];
  const commands = lines
    .filter(beginsAsCommand)
    .flatMap((line) => withoutProse(analyseShell(line, place).commands));
  return commands.length === 0 ? null : { commands, opaque: [], isSingle: false };
}

/** `COPY x TO PROGRAM 'line'`, `xp_cmdshell 'line'`, `system("line")` */
function quotedCommands(text: string): string[] {
  const calls =
    /\b(?:program|xp_cmdshell|system|shell|exec\w*|popen|spawn\w*)\b\s*\(?\s*(["'])([^"'\n]{3,500})\1/gi;
  return [...text.matchAll(calls)].slice(0, 8).map(([, , line = ""]) => line);
}

function beginsAsCommand(line: string): boolean {
  const [, first = ""] = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*[({]?\s*(\S+)/.exec(line) ?? [];
  const name = programName(first.replaceAll(/["'\\]/g, ""));
  // A sentence begins with a capital.
  if (/^[A-Z][a-z]/.test(first)) return false;
  return /^(?:[$`]|\.{0,2}\/|~\/)/.test(first) || programs.has(name) || launcherOf(name) !== undefined;
}

/** Of a sentence, what it has in backticks is no command either. */
function withoutProse(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const isSentence = commands.some((command) => !command.isNested && isProse(command));
  return commands.filter((command) => !isProse(command) && !(isSentence && command.isNested));
}

/** Words of sentences, which no command takes. */
const sentenceWord =
  /^(?:the|an|is|are|was|were|be|been|when|while|where|why|how|what|which|who|with|without|should|must|may|can|cannot|could|would|will|please|it|its|this|that|these|those|we|you|they|and|or|but|if|then|because|instead|does|do|did|has|have|had|of|not)[.,;:!?]?$/i;
const plainWord = /^[A-Za-z][a-z]+[.,;:!?]?$/;

/** Whether what was read as a command is a sentence about it: `swarm trust is too eager`, `kill the swarm daemon`. */
function isProse({ program, args }: ShellCommand): boolean {
  if (args.some((arg) => sentenceWord.test(arg))) return true;
  const words = args.filter((arg) => plainWord.test(arg));
  if (words.length > 3) return true;
  if (program !== "swarm" && program !== "swarm-hooks") return false;
  const [first = ""] = args;
  const expected = /^(?:stop|trust|login|uninstall)$/.test(first) ? 1 : 2;
  return args.slice(expected).some((arg) => plainWord.test(arg) && !agents.test(arg));
}

const agents = /^(?:claude|codex|gemini|qwen|copilot|cursor|opencode)$/;
