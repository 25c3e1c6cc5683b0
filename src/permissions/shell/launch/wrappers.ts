import { resolve } from "node:path/posix";
import type { Launcher, Launching, Stream } from "../launchers.ts";
import { isPlain, marks } from "../marks.ts";
import { firstOperand, type OptionTable, optionValue } from "./options.ts";

interface Wrapper extends OptionTable {
  /** Arguments of its own before the command: the duration of `timeout`. */
  readonly operands?: number;
  /** Takes `NAME=value` before the command. */
  readonly takesAssignments?: true;
  /** Only after this word does a command follow: `uv run`. */
  readonly after?: readonly string[];
}

const sudo: Wrapper = {
  short: "ugpCDhRrTtU",
  long: ["user", "group", "prompt", "chdir", "host", "role", "type", "other-user", "close-from", "chroot"],
  takesAssignments: true,
};

/** Programs whose arguments are another command. */
const table: Readonly<Record<string, Wrapper>> = {
  doas: { short: "uC" },
  command: {},
  builtin: {},
  exec: { short: "a" },
  nohup: {},
  setsid: {},
  nice: { short: "n", long: ["adjustment"] },
  ionice: { short: "cnpPu", long: ["class", "classdata"] },
  chrt: { short: "TPD", operands: 1 },
  taskset: { operands: 1 },
  numactl: { short: "mNCi" },
  timeout: { short: "ks", long: ["kill-after", "signal"], operands: 1 },
  gtimeout: { short: "ks", long: ["kill-after", "signal"], operands: 1 },
  stdbuf: { short: "ioe", long: ["input", "output", "error"] },
  unbuffer: {},
  time: { short: "fo", long: ["format", "output"] },
  strace: { short: "abeEIoOpPsSuUX" },
  ltrace: { short: "aAeDFlnopsuwx" },
  caffeinate: { short: "tw" },
  chronic: {},
  fakeroot: { short: "lsfbi" },
  firejail: {},
  unshare: { short: "SG", long: ["map-user", "map-group", "propagation", "setgroups", "root", "wd"] },
  nsenter: { short: "tSGN", long: ["target", "setuid", "setgid"] },
  chroot: { long: ["userspec", "groups"], operands: 1 },
  flock: { short: "wE", long: ["timeout", "conflict-exit-code"], operands: 1 },
  setarch: { operands: 1 },
  linux32: {},
  linux64: {},
  "dbus-run-session": {},
  "systemd-run": {
    short: "pEMHud",
    long: ["unit", "property", "description", "slice", "uid", "gid", "setenv", "working-directory"],
  },
  runuser: { short: "ugG", long: ["user", "group"] },
  busybox: {},
  toybox: {},
  npx: { short: "p", long: ["package", "node-options"] },
  bunx: {},
  pnpx: {},
  uvx: { short: "p", long: ["from", "python", "with", "index-url"] },
  uv: {
    after: ["run", "tool run"],
    short: "pC",
    long: ["python", "with", "directory", "project", "from", "extra", "group", "env-file"],
  },
  poetry: { after: ["run"], short: "C", long: ["directory", "project"] },
  pdm: { after: ["run"], short: "p" },
  hatch: { after: ["run"], short: "e", long: ["env"] },
  pipenv: { after: ["run"] },
  rye: { after: ["run"] },
  pipx: { after: ["run"], long: ["spec", "python"] },
  conda: { after: ["run"], short: "np", long: ["name", "prefix", "cwd"] },
  mamba: { after: ["run"], short: "np", long: ["name", "prefix", "cwd"] },
  bundle: { after: ["exec"] },
  pnpm: { after: ["exec", "dlx"], short: "CF", long: ["filter", "dir", "package"] },
  yarn: { after: ["exec", "dlx"], short: "p", long: ["cwd", "package"] },
  npm: { after: ["exec", "x"], short: "pwC", long: ["package", "workspace", "prefix"] },
  rtk: {},
  noglob: {},
  nocorrect: {},
  "-": {},
  "ssh-agent": { short: "aEtP" },
  "xvfb-run": { short: "anefsw" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  setpriv: { long: ["reuid", "regid", "groups", "inh-caps", "bounding-set"] },
  prlimit: {},
  cpulimit: { short: "lpe" },
  chpst: { short: "uUbem/nldcprt012" },
  envdir: { operands: 1 },
  tini: { short: "pe" },
  "dumb-init": { short: "r" },
  proxychains: { short: "f" },
  proxychains4: { short: "f" },
  torsocks: {},
  torify: {},
  valgrind: {},
  catchsegv: {},
  gdb: {},
  perf: { after: ["stat", "record"], short: "eorC" },
  entr: {},
  retry: { short: "dt" },
  direnv: { after: ["exec"], operands: 1 },
  mise: { after: ["exec", "x"] },
  asdf: { after: ["exec"] },
  nix: { after: ["run", "shell"], short: "c" },
  dotenv: { short: "ef" },
  doppler: { after: ["run"], short: "pc" },
  op: { after: ["run"], long: ["env-file", "account"] },
  "aws-vault": { after: ["exec"], operands: 1 },
};

export const wrappers: Readonly<Record<string, Launcher>> = {
  ...Object.fromEntries(Object.entries(table).map(([name, wrapper]) => [name, unwrap(wrapper)])),
  env(launching) {
    const { args } = launching.command;
    const line = optionValue(args, "S", "split-string");
    if (line !== undefined) return launching.runText(line);
    const inner = unwrap({ short: "uC", long: ["unset", "chdir"], takesAssignments: true });
    return inFolder(launching, optionValue(args, "C", "chdir"), inner);
  },
  sudo: (launching) => {
    const inner = unwrap(sudo);
    return inFolder(launching, optionValue(launching.command.args, "D", "chdir"), inner);
  },
  // The rest of the line is joined and given to a shell.
  watch: ({ command, run, runText }) => {
    const at = firstOperand(command.args, { short: "nq", long: ["interval", "equexit"] });
    const rest = command.args.slice(at);
    return rest.length === 1 ? runText(rest[0] ?? "") : run(rest);
  },
  // Each operand is a line for a shell.
  hyperfine: linesFor({ short: "wmMrpsSniuN", long: ["warmup", "runs", "prepare", "shell", "export-json"] }),
  concurrently: linesFor({ short: "nclmpk", long: ["names", "prefix"] }),
  su: shellCommandOption("c", "command"),
  script: shellCommandOption("c", "command"),
  // Runs elsewhere, and deletes there.
  ssh: (launching) => {
    const { command, runText } = launching;
    const at = firstOperand(command.args, { short: "BbcDEeFIiJLlmOopQRSWw" });
    const line = command.args.slice(at + 1);
    if (line.length === 0) return undefined;
    return inFolder(launching, marks.unknown, () => runText(line.join(" ")));
  },
};

/** Follows what is started in another folder; undefined: in the same one. */
function inFolder(launching: Launching, folder: string | undefined, follow: Launcher): Stream | undefined {
  const { state } = launching;
  const before = state.cwd;
  if (folder !== undefined) state.cwd = isPlain(folder) ? resolve(before ?? "/", folder) : null;
  const printed = follow(launching);
  state.cwd = before;
  return printed;
}

function unwrap(wrapper: Wrapper): Launcher {
  return ({ command, run, runText, assign }): Stream | undefined => {
    const { args } = command;
    let at = 0;
    if (wrapper.after !== undefined) {
      const begin = afterWords(args, wrapper);
      if (begin === -1) return undefined;
      at = begin;
    }
    // npx -c, pnpm exec -c and flock -c take a line for a shell.
    const line = takesLine.has(command.program) ? optionValue(args.slice(at), "c", "call") : undefined;
    if (line !== undefined) return runText(line);
    at = firstOperand(args, wrapper, at) + (wrapper.operands ?? 0);
    while (wrapper.takesAssignments === true && /^[A-Za-z_]\w*=/.test(args[at] ?? "")) {
      const [name = "", value = ""] = splitAt(args[at] as string, "=");
      assign(name, value);
      at++;
    }
    const rest = args[at] === "--" ? args.slice(at + 1) : args.slice(at);
    return rest.length === 0 ? undefined : run(rest);
  };
}

const takesLine = new Set(["npx", "npm", "pnpm", "flock", "bunx"]);

function afterWords(args: readonly string[], wrapper: Wrapper): number {
  const at = firstOperand(args, wrapper);
  for (const words of wrapper.after ?? []) {
    const wanted = words.split(" ");
    if (wanted.every((word, offset) => args[at + offset] === word)) return at + wanted.length;
  }
  return -1;
}

function linesFor(options: OptionTable): Launcher {
  return ({ command, runText }) => {
    for (const line of command.args.slice(firstOperand(command.args, options))) runText(line);
    return undefined;
  };
}

function shellCommandOption(short: string, long: string): Launcher {
  return ({ command, runText }) => {
    const line = optionValue(command.args, short, long);
    return line === undefined ? undefined : runText(line);
  };
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
