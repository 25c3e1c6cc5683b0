import type { Stream } from "../interpret/stream.ts";
import type { Launcher, Launching } from "./launchers.ts";
import { isPlain, marks } from "../marks.ts";
import { runCode } from "./code.ts";
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

const runuser: Wrapper = { short: "ugG", long: ["user", "group"] };

/** Programs whose arguments are another command. */
const table: Readonly<Record<string, Wrapper>> = {
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
  faketime: { short: "fm", operands: 1 },
  proot: { short: "rbwqk" },
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
  busybox: {},
  toybox: {},
  pkexec: { long: ["user"] },
  rlwrap: {},
  corepack: {},
  "cross-env": { takesAssignments: true },
  watchexec: {
    short: "ewifdsSNE",
    long: ["exts", "watch", "ignore", "filter", "debounce", "signal", "shell", "env"],
  },
  dotenvx: { after: ["run"], short: "fe", long: ["env-file", "env"] },
  lerna: { after: ["exec"], long: ["scope", "ignore", "concurrency"] },
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
  yarn: { after: ["exec", "dlx", "run"], short: "p", long: ["cwd", "package"] },
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
  perf: { after: ["stat", "record"], short: "eorC" },
  entr: {},
  retry: { short: "dt" },
  direnv: { after: ["exec"], operands: 1 },
  mise: { after: ["exec", "x"] },
  asdf: { after: ["exec"] },
  dotenv: { short: "ef" },
  doppler: { after: ["run"], short: "pc" },
  op: { after: ["run"], long: ["env-file", "account"] },
  "aws-vault": { after: ["exec"], operands: 1 },
};

/** Programs in which a line can be given to a shell. */
const withEscapes = ["vim", "vi", "nvim", "ex", "view", "ed", "less", "psql", "sqlite3", "mysql"];
const shellEscape = /^\s*(?:\+?:?!|\\!|\.(?:shell|system)\s|(?:shell|system)\s)\s*([\s\S]+)$/;

/** `vim -c '!line'`, `psql -c '\\! line'`, `sqlite3 x '.shell line'`. */
function runEscapes({ command, runText }: Launching): undefined {
  for (const text of [...command.args, command.stdin ?? ""]) {
    const [, line] = shellEscape.exec(text) ?? [];
    if (line !== undefined) runText(line);
  }
}

export const wrappers: Readonly<Record<string, Launcher>> = {
  ...Object.fromEntries(Object.entries(table).map(([name, wrapper]) => [name, unwrap(wrapper)])),
  // `command -v git` only tells of it.
  command: (launching) =>
    /^-\w*[vV]/.test(launching.command.args[0] ?? "") ? undefined : unwrap({})(launching),
  env(launching) {
    const { args } = launching.command;
    const line = optionValue(args, "S", "split-string");
    if (line !== undefined) return launching.runText(line);
    const inner = unwrap({ short: "uC", long: ["unset", "chdir"], takesAssignments: true });
    return inFolder(launching, optionValue(args, "C", "chdir"), inner);
  },
  sudo: (launching) => {
    const inner = orShell(/^(?:-[A-Za-z]*[si]|--shell|--login)/, sudo);
    return inFolder(launching, optionValue(launching.command.args, "D", "chdir"), inner);
  },
  doas: orShell(/^-[A-Za-z]*s/, { short: "uC" }),
  // The rest of the line is joined and given to a shell.
  watch: ({ command, run, runText }) => {
    const at = firstOperand(command.args, { short: "nq", long: ["interval", "equexit"] });
    const rest = command.args.slice(at);
    return rest.length === 1 ? runText(rest[0] ?? "") : run(rest);
  },
  // Each operand is a line for a shell.
  hyperfine: linesFor({ short: "wmMrpsSniuN", long: ["warmup", "runs", "prepare", "shell", "export-json"] }),
  concurrently: linesFor({ short: "nclmpk", long: ["names", "prefix"] }),
  bun: (launching) =>
    launching.command.args[0] === "x" ? unwrap({ after: ["x"] })(launching) : runCode(launching),
  // A shell in any case, which reads its own input if it is given no line.
  su: ({ command, run, runText }) => {
    const line = optionValue(command.args, "c", "command");
    return line === undefined ? run(["sh"]) : runText(line);
  },
  sg: shellCommandOption("c", null),
  runuser: (launching) => {
    const { command, runText } = launching;
    const line = optionValue(command.args, "c", "command");
    return line === undefined ? unwrap(runuser)(launching) : runText(line);
  },
  nix: ({ command, run }) => {
    const at = command.args.findIndex((arg) => /^(?:-c|--command|--)$/.test(arg));
    return at === -1 ? undefined : run(command.args.slice(at + 1));
  },
  "nix-shell": shellCommandOption(null, "run", "command"),
  nodemon: shellCommandOption("x", "exec"),
  // `script FILE COMMAND` on BSD and macOS, `script -c LINE` elsewhere.
  script: ({ command, run, runText }) => {
    const line = optionValue(command.args, "c", "command");
    if (line !== undefined) return runText(line);
    const rest = command.args.slice(firstOperand(command.args, { short: "tT" }) + 1);
    return rest.length === 0 ? undefined : run(rest);
  },
  // Each word may be a line for a shell: that of a new window, or what is typed into one.
  tmux: ({ command: { args }, runText }) => {
    for (const word of args) if (word.includes(" ")) runText(word);
    const at = args.findIndex((arg) => /^send(?:-keys)?$/.test(arg));
    if (at !== -1) runText(keysOf(args.slice(firstOperand(args, { short: "tN" }, at + 1))));
    return undefined;
  },
  screen: ({ command: { args }, run, runText }) => {
    const at = args.indexOf("stuff");
    if (at !== -1)
      return runText(
        args
          .slice(at + 1)
          .join(" ")
          .replaceAll(/\\(?:n|r|01[25])|\^[MJ]/g, "\n"),
      );
    const rest = args.slice(firstOperand(args, { short: "ScehptTX" }));
    return rest.length === 0 ? undefined : run(rest);
  },
  ...Object.fromEntries(withEscapes.map((name) => [name, runEscapes])),
  gdb: (launching) => {
    runEscapes(launching);
    return unwrap({ short: "xdsp", long: ["ex", "command"] })(launching);
  },
  rsync: ({ command, runText }) => {
    const line = optionValue(command.args, "e", "rsh");
    if (line !== undefined) runText(line);
    return undefined;
  },
  // Runs elsewhere, and deletes there.
  ssh: (launching) => {
    const { command, runText } = launching;
    const at = firstOperand(command.args, { short: "BbcDEeFIiJLlmOopQRSWw" });
    for (const arg of command.args.slice(0, at)) {
      const [, local] = /^(?:-o)?\s*(?:Proxy|Local)Command\s*[= ]([\s\S]*)$/i.exec(arg) ?? [];
      if (local !== undefined) runText(local);
    }
    const line = command.args.slice(at + (command.args[at + 1] === "--" ? 2 : 1));
    if (line.length === 0) return undefined;
    const printed = inFolder(launching, marks.unknown, () => runText(line.join(" ")));
    // What is printed there comes from elsewhere.
    return { commands: [command, ...(printed?.commands ?? [])], text: null };
  },
};

/** What tmux types: words as they are, and keys by their names. */
function keysOf(words: readonly string[]): string {
  return words.map((word) => keys[word.toLowerCase()] ?? word).join("");
}

const keys: Readonly<Record<string, string>> = {
  enter: "\n",
  kpenter: "\n",
  "c-m": "\n",
  "c-j": "\n",
  space: " ",
};

/** With such an option and no command: a shell, which reads its own input. `echo word | sudo -S -v` starts none. */
function orShell(option: RegExp, wrapper: Wrapper): Launcher {
  return (launching) => {
    const { args } = launching.command;
    const isAlone = firstOperand(args, wrapper) === args.length && args.some((arg) => option.test(arg));
    return isAlone ? launching.run(["sh"]) : unwrap(wrapper)(launching);
  };
}

/** Follows what is started in another folder; undefined: in the same one. */
function inFolder(launching: Launching, folder: string | undefined, follow: Launcher): Stream | undefined {
  const { state } = launching;
  const before = state.folders;
  if (folder !== undefined) state.changeFolder(isPlain(folder) ? folder : null);
  const printed = follow(launching);
  state.folders = before;
  return printed;
}

function unwrap(wrapper: Wrapper): Launcher {
  return ({ command, run, runText, assign, state }): Stream | undefined => {
    const { args } = command;
    let at = 0;
    if (wrapper.after !== undefined) {
      const begin = afterWords(args, wrapper);
      if (begin === -1) {
        const named = runsByName.has(command.program) ? args.slice(firstOperand(args, wrapper)) : [];
        // `yarn workspace NAME uninstall x` is yarn again, in that workspace.
        if (named[0] === "workspace") return run([command.program, ...named.slice(2)]);
        return named.length > 0 && isPlain(named[0] as string) ? run(named) : undefined;
      }
      at = begin;
    }
    // npx -c, pnpm exec -c and flock -c take a line for a shell.
    const line = takesLine.has(command.program) ? optionValue(args.slice(at), "c", "call") : undefined;
    if (line !== undefined) return runText(line);
    at = firstOperand(args, wrapper, at) + (wrapper.operands ?? 0);
    while (wrapper.takesAssignments === true && /^[A-Za-z_]\w*=/.test(args[at] ?? "")) {
      const [name = "", value = ""] = splitAt(args[at] as string, "=");
      assign(name, value);
      state.exported.set(name, "yes");
      at++;
    }
    const rest = args[at] === "--" ? args.slice(at + 1) : args.slice(at);
    if (rest.length === 0) return undefined;
    return run(packages.has(command.program) ? [unversioned(rest[0] as string), ...rest.slice(1)] : rest);
  };
}

/** These take a package for a program: `npx npm@latest publish`. */
const packages = new Set(["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "uvx", "uv", "pipx"]);

/** What is no command of theirs is a program of the project: `yarn rimraf dist`. */
const runsByName = new Set(["pnpm", "yarn"]);

function unversioned(name: string): string {
  return name.replace(/(?<=.)(?:@|==).*$/, "");
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

function shellCommandOption(short: string | null, ...long: readonly (string | null)[]): Launcher {
  return ({ command, runText }) => {
    const line = long
      .map((name) => optionValue(command.args, short, name))
      .find((text) => text !== undefined);
    return line === undefined ? undefined : runText(line);
  };
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
