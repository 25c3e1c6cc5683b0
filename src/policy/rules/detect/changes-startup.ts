import { textsOf } from "../action.ts";
import type { Facts } from "../facts.ts";
import { isForeign } from "../files/action-files.ts";
import { writtenFiles } from "../files/command-files.ts";
import { PathGlobs, type PathNames } from "../files/path-globs.ts";
import { PathText } from "../files/path-text.ts";
import { analyseShell } from "../../shell/analyse.ts";
import { copiedFiles, type ShellCommand } from "../../shell/command.ts";
import { mayConcernGuards } from "../../shell/programs/unknown.ts";
import { isPlain, shown } from "../../shell/marks.ts";
import { outputOf } from "../../shell/interpret/output.ts";
import { codeTexts } from "./code-texts.ts";
import { changesFiles } from "./only-reads.ts";
import { decidesInLine } from "./own-decisions.ts";
import { absolutePath, type Place } from "./place.ts";
import { stopsInLine } from "./stops-daemon.ts";

const home = [
  ...["bashrc", "bash_profile", "bash_login", "bash_logout", "bash_aliases", "profile", "zshrc", "zshenv"],
  ...[
    "zprofile",
    "zlogin",
    "zlogout",
    "kshrc",
    "mkshrc",
    "cshrc",
    "tcshrc",
    "login",
    "xprofile",
    "xsessionrc",
  ],
  ...["xinitrc", "pam_environment", "bashrc.d/**", "zshrc.d/**", "profile.d/**", "oh-my-zsh/custom/**"],
];

/** Files that the next shell, login or timer reads, so that no call runs what is written into them. */
const startupFiles = [
  ...home.flatMap((name) => [`~/.${name}`, `/root/.${name}`]),
  ...["fish/**", "environment.d/**", "systemd/user/**", "autostart/**", "nushell/**", "powershell/**"].map(
    (name) => `~/.config/${name}`,
  ),
  ...["profile", "profile.d/**", "bash.bashrc", "bashrc", "zsh/**", "zshrc", "zshenv", "environment"].map(
    (name) => `/etc/${name}`,
  ),
  ...["crontab", "cron*/**", "systemd/**", "rc.local", "security/pam_env.conf", "init.d/**"].map(
    (name) => `/etc/${name}`,
  ),
  ...[
    "/var/spool/cron/**",
    "~/Library/LaunchAgents/**",
    "/Library/LaunchAgents/**",
    "/Library/LaunchDaemons/**",
  ],
];

/** Libraries in it are loaded into every program, also into ours. */
const loadedEverywhere = ["/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d/**"];

const maxChars = 64 * 1024;

/**
 * Whether an action writes into a file that shells, logins or timers read later what switches guards off or decides for a
 * person. The call that writes it is judged by that, because none runs it.
 */
export function changesStartup(names: PathNames): (facts: Facts) => string | null {
  const globs = new PathGlobs("detect", startupFiles, names, true);
  const everywhere = new PathGlobs("detect", loadedEverywhere, names, true);
  return (facts) => {
    const { root, place, line, files } = facts;
    const loaded = files.find(({ path, isWritten }) => isWritten && everywhere.matches(path, root));
    if (loaded !== undefined) return shown(loaded.path.text);
    if (line === null || isForeign(facts.action)) {
      const file = files.find(({ path, isWritten }) => isWritten && globs.matches(path, root));
      const found = file === undefined ? null : switchesOff(textsIn(facts.action.input), place);
      if (found !== null) return `${found} in ${shown(file?.path.text ?? "")}`;
    }
    for (const command of line?.commands ?? []) {
      const isStartup = (path: string) =>
        globs.matches(new PathText(absolutePath(path, command.cwd)), root) || command.program === "crontab";
      const found = inCommand(command, isStartup, place);
      if (found !== null) return found;
    }
    return null;
  };
}

/** Programs that set variables for all that is started from then on. */
const setters: ReadonlySet<string> = new Set([
  "systemctl",
  "launchctl",
  "setx",
  "dbus-update-activation-environment",
]);

function inCommand(command: ShellCommand, isStartup: (path: string) => boolean, place: Place): string | null {
  const { program, args } = command;
  if (setters.has(program)) {
    const words = args.join(" ");
    return settable.test(words) ? `${program} ${words}`.slice(0, 200) : null;
  }
  for (const code of codeTexts(command)) {
    const [named] = (changesFiles(code) && startupInCode.exec(code)) || [];
    const found = named === undefined ? null : switchesOff(code, place);
    if (found !== null) return `${found} in ${named}`;
  }
  const [file] = program === "crontab" ? ["crontab"] : writtenFiles(command).filter(isStartup);
  if (file === undefined) return null;
  if (downloads(command)) return `${program} puts something unknown into ${shown(file)}`;
  const found = switchesOff(textOf(command, place), place);
  return found === null ? null : `${found} in ${shown(file)}`;
}

const startupInCode =
  /\.(?:bashrc|bash_\w+|z(?:shrc|shenv|profile|login)|profile|kshrc|cshrc|xprofile)\b|config\.fish|conf\.d\/|systemd\/user|environment\.d|ld\.so\.preload|\/etc\/cron/;

/** Of what is fetched only the address is known. */
function downloads({ program, inputs }: ShellCommand): boolean {
  return /^(?:curl|wget)$/.test(program) || inputs.some((input) => /^(?:curl|wget)$/.test(input.program));
}

/** What a command writes, as far as the line and the files it copies tell. */
function textOf(command: ShellCommand, place: Place): string {
  const { program, args, cwd, stdin, inputs, code } = command;
  const copied = [...copiedFiles(command).map(({ from }) => from), ...(program === "crontab" ? args : [])];
  const read = copied.filter(isPlain).map((path) => place.readText(absolutePath(path, cwd)) ?? "");
  const printed = outputOf(command) ?? [...args, ...inputs.flatMap((input) => input.args)].join("\n");
  return [printed, stdin ?? "", code ?? "", ...read].join("\n").slice(0, maxChars);
}

function textsIn(input: object): string {
  const texts = Object.entries(input).filter(([name]) => !/^old/i.test(name));
  return textsOf(Object.fromEntries(texts)).join("\n").slice(0, maxChars);
}

/** Variables that say where agents' settings and ours are, and those that load something into every program. */
const variables =
  /(?<![\w${])(?:SWARM_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|QWEN_HOME|COPILOT_HOME|OPENCODE_CONFIG_DIR|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV)(?:=|\s+\S)|NODE_OPTIONS\b[^\n]{0,80}?(?:--(?:require|import|loader)|-r)\b/;
const settable =
  /\b(?:set|import|setenv|setx|update)\S{0,40}\s[^\n]{0,500}\b(?:SWARM_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|QWEN_HOME|COPILOT_HOME|OPENCODE_CONFIG_DIR|LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV)\b/;
const decisionSaid =
  /\bswarm(?:-hooks)?\s+(?:stop|trust|uninstall|login|approvals\s+(?:approve|deny|key|require)|(?:flags|hooks|tokens|plugins|models|service)\s+(?:set|unset|disable|add|remove|promote|uninstall))\b|\bp?kill\S{0,20}\s[^\n]{0,80}\bswarm\b/;
const names = "swarm|swarm-hooks?|claude|codex|gemini|qwen|copilot|opencode|cursor-agent";
const agentWithout =
  /\b(?:claude|codex|qwen|opencode)\b[^\n;&|]{0,200}?\s--(?:bare|safe-mode|restricted|setting-sources|settings|pure|ignore-user-config|disable)\b/;
const alias = new RegExp(`\\balias\\s+(?:-\\w+\\s+)?(${names})[= ]\\s*["']?([^\\n]*)`, "g");
const defined = new RegExp(
  `(?:^|[;&|])[ \\t]{0,40}(?:function[ \\t]+(?:${names})\\b|(?:${names})\\s*\\(\\s*\\))`,
  "m",
);

const ownFolder = /\.swarm\/[^\s"']{0,100}|(?:~|HOME\}?|\/home\/[\w.-]{1,64}|%h)\/\.swarm\b/;

/** What in a file that is read at the start switches guards off, replaces them or decides; null when nothing does. */
function switchesOff(text: string, place: Place): string | null {
  const variable = variables.exec(text);
  if (variable !== null) return variable[0].trim();
  if (!mayConcernGuards(text) && !/claude|codex|gemini|qwen|copilot|opencode|cursor/i.test(text)) return null;
  for (const [whole, name = "", value = ""] of text.matchAll(alias)) {
    const isItself = new RegExp(`^(?:\\S*/)?${name}(?![\\w-])`).test(value);
    if (name.startsWith("swarm") || !isItself) return whole.slice(0, 100);
  }
  const [named] =
    agentWithout.exec(text) ?? defined.exec(text) ?? ownFolder.exec(text) ?? decisionSaid.exec(text) ?? [];
  if (named !== undefined) return named.trim().slice(0, 100);
  return runsLater(text, place);
}

/** What stands before the command in a unit of systemd, a desktop entry and a table of cron. */
const before = /^\s*(?:Exec\w*=[-@:+!|]*|(?:[@\w*/,-]+\s+){5}(?:root\s+)?|@\w+\s+)/;
const maxLines = 64;
/** Longer ones are only searched by words. */
const maxScriptChars = 8_192;

function runsLater(text: string, place: Place): string | null {
  const lines = text.split("\n").filter(mayConcernGuards).slice(0, maxLines);
  const scripts = [...lines.map((line) => line.replace(before, "")), ...lines, lines.join("\n")];
  for (const script of new Set(scripts)) {
    if (script.length > maxScriptChars) continue;
    const line = analyseShell(script, place);
    const found = decidesInLine(line, place) ?? stopsInLine(line);
    if (found !== null) return found;
  }
  return null;
}
