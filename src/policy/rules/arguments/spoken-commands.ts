import { analyseShell, type ShellPlace } from "../../shell/analyse.ts";
import type { ShellCommand, ShellLine } from "../../shell/command.ts";
import { beginsAsCommand } from "../../shell/programs/begins-as-command.ts";
import { mayConcernGuards } from "../../shell/programs/unknown.ts";

/** Longer texts are for people. */
const maxChars = 4_096;

/**
 * A text under a name that is none of a command's (`text`, `prompt`, `query`), as the line a server may run of it. Only one
 * that begins as a command and is about what rules protect counts; null for all others, which are nearly all there are.
 */
export function spokenLine(text: string, place: ShellPlace): ShellLine | null {
  if (text.length > maxChars || !mayConcernGuards(text)) return null;
  const plain = text.replaceAll(/\r\n?/g, "\n");
  const [, escaped = ""] = /\\!\s*([^\n]+)/.exec(plain) ?? [];
  // After comments, and after a prompt that was copied along.
  const line = plain
    .replace(/^(?:\s*#[^\n]*\n)+/, "")
    .replace(/^\s*(?:[$#>]\s+|!(?=\w)|%%?(?:bash|sh)\s)/, "");
  const lines = [line, escaped, ...quotedCommands(text)];
  const commands = lines
    .filter(beginsAsCommand)
    .flatMap((line) => withoutProse(analyseShell(line, place).commands));
  return commands.length === 0 ? null : { commands, opaque: [], isSingle: false };
}

/** `COPY x TO PROGRAM 'line'`, `xp_cmdshell 'line'`, `system("line")` */
function quotedCommands(text: string): string[] {
  const calls =
    /(?:\b|_)(?:program|xp_cmdshell|system|shell|exec\w*|popen|spawn\w*)\b\s*\(?\s*(["'])([^"'\n]{3,500})\1/gi;
  return [...text.matchAll(calls)].slice(0, 8).map(([, , line = ""]) => line);
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
  const isAlone = /^(?:stop|trust|login|uninstall)$/.test(first);
  // `swarm hooks disable guard` names a hook.
  const more = args.slice(isAlone ? 1 : args.length === 3 && named.test(first) ? 3 : 2);
  return more.some((arg) => /^[a-z]+:/.test(arg) || (plainWord.test(arg) && !values.test(arg)));
}

/** What these take is called as people like. */
const named = /^(?:hooks|plugins|tokens|flags|models)$/;
const values = /^(?:true|false|claude|codex|gemini|qwen|copilot|cursor|opencode)$/;
