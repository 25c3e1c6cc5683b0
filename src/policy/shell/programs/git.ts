import type { Stream } from "../interpret/stream.ts";
import type { Launching } from "./launching.ts";
import type { Program } from "./program.ts";
import { hasUnknown, marks } from "../marks.ts";
import { optionValue } from "./options.ts";

/** git with its own options apart: what it is to do, where, and with which settings. */
export interface GitCall {
  /** Empty when there is none. */
  readonly subcommand: string;
  readonly args: readonly string[];
  /** Of `-C`. */
  readonly folders: readonly string[];
  /** Of `-c` and `--config-env`. */
  readonly settings: readonly string[];
}

const valued = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
]);

export function readGit(args: readonly string[]): GitCall {
  const folders: string[] = [];
  const settings: string[] = [];
  let at = 0;
  for (; at < args.length && (args[at] as string).startsWith("-"); at++) {
    const arg = args[at] as string;
    const value = valued.has(arg) ? args[++at] : undefined;
    if (arg === "-C" && value !== undefined) folders.push(value);
    if (arg === "-c" && value !== undefined) settings.push(value);
    if (/^-c./.test(arg)) settings.push(arg.slice(2));
    // The value stands in the environment.
    if (arg === "--config-env" || arg.startsWith("--config-env="))
      settings.push((value ?? arg.slice("--config-env=".length)).replace(/=.*$/s, `=${marks.unknown}`));
    if (arg.startsWith("--exec-path=")) settings.push("core.execpath=!");
  }
  return { subcommand: args[at] ?? "", args: args.slice(at + 1), folders, settings };
}

/** Settings whose value git runs. */
const runsValue =
  /^(core\.(sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy|execpath)|credential\.(.*\.)?helper|(diff|merge|difftool|mergetool)\..*|diff\.external|filter\..*|sequence\.editor|gpg\..*|pager\..*|sendemail\..*|web\.browser|browser\..*|man\..*|uploadpack\..*|protocol\.ext\.allow|include\.path|includeif\..*|trailer\..*)$/i;

export const git: Program = { follow: runGit };

function runGit(launching: Launching): Stream | undefined {
  const { command, runText, opaque } = launching;
  const call = readGit(command.args);
  if (hasUnknown(call.subcommand)) opaque("what git is to do is known only then");
  followSettings(call, launching);
  for (const [name, value] of command.assignments) {
    if (runsVariable.test(name)) runText(value);
    else if (/^GIT_CONFIG_(?:PARAMETERS|KEY_\d+)$/.test(name)) opaque(`${name} gives git other settings`);
  }
  runSubcommand(call, launching);
  return undefined;
}

/** Variables whose value git runs. */
const runsVariable =
  /^(?:GIT_(?:SSH_COMMAND|SSH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|EDITOR|VISUAL)$/;

function followSettings({ subcommand, args, settings }: GitCall, launching: Launching): void {
  const alias = `alias.${subcommand.toLowerCase()}`;
  const isAlias = (setting: string) => nameOf(setting).toLowerCase() === alias;
  // The last one counts. It may stand for another alias, not for itself: the settings go with it, but its own.
  const last = settings.findLast(isAlias);
  if (last !== undefined) {
    const others = settings.filter((setting) => !isAlias(setting));
    runAlias(launching, last.slice(alias.length + 1), { args, settings: others });
  }
  const runs = settings.map(nameOf).find((name) => runsValue.test(name));
  if (runs !== undefined) launching.opaque(`git -c ${runs} has git run a program`);
}

function nameOf(setting: string): string {
  return setting.split("=", 1)[0] as string;
}

function runAlias(
  { run, runText }: Launching,
  value: string,
  { args, settings }: Pick<GitCall, "args" | "settings">,
): void {
  if (value.startsWith("!")) runText(`${value.slice(1)} ${args.join(" ")}`);
  else run(["git", ...settings.flatMap((setting) => ["-c", setting]), ...value.split(/\s+/), ...args]);
}

/** Subcommands that run what they are given. */
function runSubcommand({ subcommand, args }: GitCall, launching: Launching): void {
  const { runText, run, opaque } = launching;
  switch (subcommand) {
    case "rebase": {
      const line = optionValue(args, "x", "exec");
      if (line !== undefined) runText(line);
      return;
    }
    case "bisect":
      if (args[0] === "run") run(args.slice(1));
      return;
    case "submodule": {
      const at = args.indexOf("foreach");
      const rest = args.slice(at + 1).filter((arg) => arg !== "--recursive" && arg !== "--quiet");
      if (at !== -1) runText(rest.join(" "));
      return;
    }
    case "config":
      runConfig(args, launching);
      return;
    case "filter-branch":
      for (const [at, arg] of args.entries()) if (/^--\w+-filter$/.test(arg)) runText(args[at + 1] ?? "");
      return;
    case "difftool":
    case "mergetool":
    case "grep":
    case "fetch":
    case "pull":
    case "clone":
    case "push":
    case "ls-remote":
      if (
        args.some((arg) =>
          /^(--extcmd|--open-files-in-pager|--upload-pack|--receive-pack|--exec)(=|$)|^-O.|^ext::/.test(arg),
        )
      ) {
        opaque(`git ${subcommand} is told to run a program`);
      }
      if (subcommand === "difftool") runText(optionValue(args, "x", null) ?? "");
  }
}

/** A setting that is written now is run later: an alias as what it stands for, the others cannot be told. */
function runConfig(args: readonly string[], launching: Launching): void {
  const at = args.findIndex((arg) => /^alias\./i.test(arg) || runsValue.test(arg));
  const [name, value] = [args[at], args[at + 1]];
  if (at === -1 || name === undefined || value === undefined) return;
  if (/^alias\./i.test(name)) runAlias(launching, value, { args: [], settings: [] });
  else launching.opaque(`git config ${name} has git run a program from then on`);
}
