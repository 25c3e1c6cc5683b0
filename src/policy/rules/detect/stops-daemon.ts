import type { Facts } from "../facts.ts";
import { isForeign } from "../files/action-files.ts";
import { writtenFiles } from "../files/command-files.ts";
import { fitsGlob } from "../files/fits-pattern.ts";
import { PathGlobs, type PathNames } from "../files/path-globs.ts";
import type { ShellCommand, ShellLine } from "../../shell/command.ts";
import { hasUnknown, shown } from "../../shell/marks.ts";
import { codeTexts } from "./code-texts.ts";
import { operands } from "./flags.ts";

/** Where our program is installed. A package's own folder, in which it is developed, is none of these. */
const installed = [
  ...["/usr/**/bin/swarm", "/opt/**/bin/swarm", "~/.*/**/bin/swarm", "~/bin/swarm", "/**/.bin/swarm"],
  ...["/**/node_modules/swarm-hooks/**", "/**/systemd/**/swarm-hooks.service*/**"],
];

/**
 * Whether an action stops the daemon, takes our program away or puts something else in its place. Killing it switches no
 * guard off, because the next call starts it again; it is a person's to decide all the same.
 */
export function stopsDaemon(names: PathNames): (facts: Facts) => string | null {
  const globs = new PathGlobs("detect", installed, names, true);
  return (facts) => {
    const changed = facts.changed.find(({ path }) => globs.matches(path, facts.root));
    if (changed !== undefined) return shown(changed.path.text);
    return (facts.line === null ? null : stopsInLine(facts.line)) ?? byTool(facts);
  };
}

/** A tool that ends processes or services by their names. */
function byTool({ action, texts }: Facts): string | null {
  const isKiller = /kill|terminate|stop_?(?:process|service)/i.test(action.name);
  const named =
    isKiller && isForeign(action) ? texts.find((text) => text.length < 200 && fitsUs(text)) : undefined;
  return named === undefined ? null : `${action.name} ${named}`;
}

/** The same in a shell line. */
export function stopsInLine(line: ShellLine): string | null {
  const found = line.commands.find(
    (command) =>
      stopsByName(command) ||
      takesPackageAway(command) ||
      replacesProgram(command) ||
      codeTexts(command).some(killsInCode) ||
      (takers.has(command.program) && isOfFound(command) && line.commands.some(findsUs)),
  );
  return found === undefined ? null : `${found.program} ${shown(found.args.join(" ")).slice(0, 200)}`;
}

const ourWord = /(?<![\w-])swarm(?:-hooks?)?(?![\w-])/i;
/** The port the daemon listens on. */
const ourPort = /(?<!\d)7077(?!\d)/;

/** As they stand in the table of processes. */
const commandLines = ["swarm up", "bin/swarm up", "swarm-hooks/bin/swarm up"];

/** Whether a name, or a pattern that programs such as pkill take, stands for our program. */
function fitsUs(text: string): boolean {
  if (ourWord.test(text) || /\bdist\/(?:bundle\/)?cli\/main\b/.test(text)) return true;
  if (text.length > 100 || !/[.*?[\]|^$+]/.test(text)) return false;
  const glob = text.replaceAll(/\[[^\]]*\]/g, "?").replaceAll(/\.[*+]/g, "*");
  return glob.split(/[|\s]+/).some((part) => {
    const name = part.replaceAll(/[\^$()+\\]/g, "").replaceAll(".", "?");
    if ((name.match(/\w/g)?.length ?? 0) < 3 || !/sw|wa|ar|rm/i.test(name)) return false;
    return commandLines.some((line) => fitsGlob(`*${name}*`, line));
  });
}

/** Programs that end others by their names, and those whose commands do. */
const killers = /^(?:g?pkill|g?killall|skill|slay|xkill|taskkill|stop-process|kill-port|fkill)$/;
const managers: Readonly<Record<string, RegExp>> = {
  systemctl: /^(?:stop|disable|mask|kill|edit|revert|freeze|set-property)$/,
  service: /^stop$/,
  "rc-service": /^stop$/,
  initctl: /^stop$/,
  sv: /^(?:down|stop|kill|exit|force-.*)$/,
  "s6-svc": /^-/,
  launchctl: /^(?:unload|bootout|remove|disable|kill|stop)$/,
  supervisorctl: /^(?:stop|remove)$/,
  pm2: /^(?:stop|delete|del)$/,
  forever: /^stop/,
  brew: /^(?:stop|unlink|uninstall|remove|rm)$/,
  docker: /^(?:stop|kill|rm|pause)$/,
  podman: /^(?:stop|kill|rm|pause)$/,
  tmux: /^kill-/,
  screen: /^(?:quit|kill)$/,
};
const firewalls = /^(?:ip6?tables|nft|ufw|pfctl|firewall-cmd)$/;

function stopsByName({ program, args }: ShellCommand): boolean {
  if (killers.test(program)) return args.some((arg) => fitsUs(arg) || ourPort.test(arg));
  if (program === "fuser") return args.some((arg) => /^-\w*k|^--kill/.test(arg)) && args.some(isOurAddress);
  if (firewalls.test(program)) return args.some((arg) => ourPort.test(arg));
  const verbs = Object.hasOwn(managers, program) ? managers[program] : undefined;
  if (verbs === undefined || !args.slice(0, 6).some((arg) => verbs.test(arg))) return false;
  // `docker service rm swarm_web` is of other things.
  if (
    /^(?:docker|podman)$/.test(program) &&
    !verbs.test(args[0] === "container" ? (args[1] ?? "") : (args[0] ?? ""))
  )
    return false;
  return args.some(fitsUs);
}

function isOurAddress(arg: string): boolean {
  return ourPort.test(arg) || /\.swarm\b|swarm\.sock/.test(arg);
}

const packagers =
  /^(?:npm|pnpm|yarn|bun|volta|brew|port|apt|apt-get|dnf|yum|pacman|nix-env|snap|asdf|mise|choco|scoop|winget)$/;
const removing = /^(?:rm|r|remove|uninstall|un|unlink|purge|delete|autoremove|-[RSe]\w*|--uninstall)$/;
const installing = /^(?:install|i|add|in|link|ln|update|upgrade|up)$/;
const ourPackage = /(?:^|[/:])swarm-hooks(?:[@.#-].*|\/)?$|^swarm(?:@.*)?$/;

function takesPackageAway({ program, args }: ShellCommand): boolean {
  if (!packagers.test(program)) return false;
  const words = operands(args);
  const isGlobal = args.some((arg) => /^(?:-\w*g|--global|global|--location=global)$/.test(arg));
  const named = words.slice(1).filter((word) => ourPackage.test(word) || /\bswarm-hooks\b/.test(word));
  if (named.some((word) => isGlobal || /swarm-hooks/.test(word)) && args.some((arg) => removing.test(arg)))
    return true;
  const isLink = words[0] === "link" || words[0] === "ln";
  return (isGlobal || isLink) && named.length > 0 && words.some((word) => installing.test(word));
}

/** `rm $(which swarm)`, `mv $(npm root -g)/swarm-hooks x` */
function replacesProgram(command: ShellCommand): boolean {
  const { substituted } = command;
  if (substituted.length === 0) return false;
  const locates = substituted.some(({ args }) => args.some((arg) => ourWord.test(arg)));
  return writtenFiles(command).some(
    (file) => hasUnknown(file) && (locates || /\/(?:bin\/swarm|swarm-hooks)(?:\/|$)/.test(file)),
  );
}

/** Programs that do to what others have found what is done to our own by its name. */
const takers: ReadonlySet<string> = new Set(["kill", "skill", "taskkill", "renice", "cpulimit"]);
const finders =
  /^(?:pgrep|pidof|pidwait|ps|lsof|ss|netstat|fuser|systemctl|launchctl|tasklist|get-process|top|jps)$/;

/** Of processes that are known only when it runs; `kill 1234` is anybody's. */
function isOfFound({ args, substituted }: ShellCommand): boolean {
  return substituted.length > 0 || args.some((arg) => hasUnknown(arg));
}

function findsUs({ program, args, inputs }: ShellCommand): boolean {
  const isFilter = inputs.length > 0 && /^(?:[ef]?grep|rg|ag|awk|gawk|sed|perl|fzf)$/.test(program);
  if (!isFilter && !finders.test(program)) return false;
  return args.some((arg) => fitsUs(arg) || ourPort.test(arg) || /swarm/i.test(arg));
}

const kills = /\b(?:p?kill(?:all|pg)?|terminate|SIG(?:KILL|TERM|STOP|INT))\b/;

function killsInCode(code: string): boolean {
  return kills.test(code) && (ourWord.test(code) || ourPort.test(code));
}
