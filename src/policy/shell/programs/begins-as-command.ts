import { programName } from "../command.ts";
import { launcherOf } from "./table.ts";
import { words } from "./words.ts";

/** Programs that a command line may begin with, besides those that start others. */
const programs: ReadonlySet<string> = words(`
  swarm swarm-hooks cat cp mv rm ln tee dd head tail less base64 xxd strings sort grep rg chmod chown
  truncate touch kill pkill killall curl wget http xh nc socat docker podman systemctl launchctl service
  brew mount tar unzip zip cpio patch rsync scp install echo printf fuser cd gdb claude codex gemini qwen
  copilot opencode cursor-agent sqlite3 openssl gcore if for while until case true false : test [ [[ !
  then do`);

/** Whether a text begins as a command does, and not as a sentence. */
export function beginsAsCommand(line: string): boolean {
  const [, first = ""] = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*[({]?\s*(\S+)/.exec(line) ?? [];
  if (/^[a-z]+:/.test(first)) return false;
  const name = programName(first.replaceAll(/["'\\]/g, ""));
  // A sentence begins with a capital.
  if (/^[A-Z][a-z]/.test(first)) return false;
  return /^(?:[$`]|\.{0,2}\/|~\/)/.test(first) || programs.has(name) || launcherOf(name) !== undefined;
}
