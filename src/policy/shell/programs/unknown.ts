import { programName, type ShellCommand } from "../command.ts";
import type { Launching } from "./launching.ts";
import { isTextValue, takesOnlyText } from "./text-programs.ts";
import { beginsAsCommand } from "./begins-as-command.ts";
import { shellPrograms } from "./shells.ts";

/** What our program, its files, its address and the agents' settings are called by. */
const concerning =
  /swarm|7077|approvals|\.(?:claude|codex|gemini|qwen|copilot|cursor|opencode)\b|\/api\/v\d/i;

/** Whether a text may be about what rules protect. Most words are not: whatever else is asked of them costs more. */
export function mayConcernGuards(text: string): boolean {
  return concerning.test(text);
}

/** Programs by which a daemon is stopped, a program taken away, or a line run: their own words say what they do. */
const starters: ReadonlySet<string> = new Set([
  ...["kill", "pkill", "killall", "systemctl", "service", "launchctl", "npm", "pnpm", "yarn", "npx", "bunx"],
  ...["env", "sudo", "nohup", "xargs", "rm", "mv", "cp", "tee", "ln", "chmod", "curl", "wget"],
  ...shellPrograms,
]);

/** So many of its words are taken for the beginning of another command. */
const maxStarts = 8;
const maxLineChars = 4_096;

/** Whether a program nobody here knows is given words about what rules protect. */
export function mayStart({ program, args }: ShellCommand): boolean {
  return program !== "" && args.some(mayConcernGuards) && !takesOnlyText(program);
}

/** It may start another program with its words, or give one of them to a shell. */
export function runUnknown({ command, run, tryText }: Launching): void {
  const { args } = command;
  let starts = 0;
  for (const [at, arg] of args.entries()) {
    if (starts >= maxStarts) break;
    if (/\s/.test(arg)) {
      if (arg.length > maxLineChars || !mayConcernGuards(arg) || isTextValue(command, at)) continue;
      if (!beginsAsCommand(arg)) continue;
      starts++;
      tryText(arg);
    } else if (starters.has(programName(arg)) && at < args.length - 1) {
      starts++;
      run(args.slice(at));
    }
  }
}
