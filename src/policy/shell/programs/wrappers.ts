import { marks } from "../marks.ts";
import type { Launching } from "./launching.ts";
import { firstOperand, optionValue } from "./options.ts";
import { type Follow, named, type OptionNames, type Program, type Programs, withCommon } from "./program.ts";
import { inFolder, unwrap } from "./unwrap.ts";

const lineOption: OptionNames = ["c", "call"];

/** Programs whose operands are another command, and need no more said than which of their options take a value. */
const plain: Programs = {
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
  strace: { short: "abeEIoOpPsSuUX", opensFiles: true },
  ltrace: { short: "aAeDFlnopsuwx" },
  caffeinate: { short: "tw" },
  chronic: {},
  fakeroot: { short: "lsfbi" },
  firejail: { opensFiles: true },
  faketime: { short: "fm", operands: 1 },
  proot: { short: "rbwqk", changesRoot: true },
  unshare: { short: "SG", long: ["map-user", "map-group", "propagation", "setgroups", "root", "wd"] },
  nsenter: { short: "tSGN", long: ["target", "setuid", "setgid"], changesRoot: true },
  chroot: { long: ["userspec", "groups"], operands: 1, changesRoot: true },
  flock: { short: "wE", long: ["timeout", "conflict-exit-code"], operands: 1, line: lineOption },
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
  npx: { short: "p", long: ["package", "node-options"], line: lineOption, takesPackages: true },
  bunx: { line: lineOption, takesPackages: true },
  pnpx: { takesPackages: true },
  uvx: { short: "p", long: ["from", "python", "with", "index-url"], takesPackages: true },
  uv: {
    after: ["run", "tool run"],
    short: "pC",
    long: ["python", "with", "directory", "project", "from", "extra", "group", "env-file"],
    takesPackages: true,
  },
  poetry: { after: ["run"], short: "C", long: ["directory", "project"] },
  pdm: { after: ["run"], short: "p" },
  hatch: { after: ["run"], short: "e", long: ["env"] },
  pipenv: { after: ["run"] },
  rye: { after: ["run"] },
  pipx: { after: ["run"], long: ["spec", "python"], takesPackages: true },
  conda: { after: ["run"], short: "np", long: ["name", "prefix", "cwd"] },
  mamba: { after: ["run"], short: "np", long: ["name", "prefix", "cwd"] },
  bundle: { after: ["exec"] },
  pnpm: {
    after: ["exec", "dlx"],
    short: "CF",
    long: ["filter", "dir", "package"],
    line: lineOption,
    takesPackages: true,
    runsByName: true,
    opensFiles: true,
  },
  yarn: {
    after: ["exec", "dlx", "run"],
    short: "p",
    long: ["cwd", "package"],
    takesPackages: true,
    runsByName: true,
    opensFiles: true,
  },
  npm: {
    after: ["exec", "x"],
    short: "pwC",
    long: ["package", "workspace", "prefix"],
    line: lineOption,
    takesPackages: true,
    opensFiles: true,
  },
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
  env: {
    short: "uC",
    long: ["unset", "chdir"],
    takesAssignments: true,
    folder: ["C", "chdir"],
    line: ["S", "split-string"],
  },
  sudo: {
    short: "ugpCDhRrTtU",
    long: ["user", "group", "prompt", "chdir", "host", "role", "type", "other-user", "close-from", "chroot"],
    takesAssignments: true,
    folder: ["D", "chdir"],
    shell: /^(?:-[A-Za-z]*[si]|--shell|--login)/,
  },
  doas: { short: "uC", shell: /^-[A-Za-z]*s/ },
  runuser: {
    short: "ugG",
    long: ["user", "group"],
    line: ["c", "command"],
    // `runuser NAME -c LINE`, `runuser -u NAME COMMAND`
    follow: (launching, program) => {
      const { args } = launching.command;
      const isCommand = optionValue(args.slice(0, firstOperand(args, program)), "u", "user") !== undefined;
      return (isCommand ? undefined : runLine(launching, program)) ?? unwrap(launching, program);
    },
  },
};

/** Programs in which a line can be given to a shell. */
const shellEscape = /^\s*(?:\+?:?!|\\!|\.(?:shell|system)\s|(?:shell|system)\s)\s*([\s\S]+)$/;

/** Follows `vim -c '!line'`, `psql -c '\\! line'`, `sqlite3 x '.shell line'`. */
function runEscapes({ command, runText }: Launching): undefined {
  for (const text of [...command.args, command.stdin ?? ""]) {
    const [, line] = shellEscape.exec(text) ?? [];
    if (line !== undefined) runText(line);
  }
}

/** Follows only the option that takes a line for a shell. */
const runLine: Follow = ({ command, runText }, { line = [null] }) => {
  const text = optionValue(command.args, ...line);
  return text === undefined ? undefined : runText(text);
};

/** Follows each operand as a line for a shell. */
const runLines: Follow = ({ command, runText }, program) => {
  for (const line of command.args.slice(firstOperand(command.args, program))) runText(line);
  return undefined;
};

export const wrappers: Programs = {
  ...withCommon(plain, { runs: "command", follow: unwrap }),
  command: {
    runs: "command",
    // `command -v git` only says where it is.
    follow: (launching, program) =>
      /^-\w*[vV]/.test(launching.command.args[0] ?? "") ? undefined : unwrap(launching, program),
  },
  watch: {
    runs: "command",
    short: "nq",
    long: ["interval", "equexit"],
    // The rest of the line is joined and given to a shell.
    follow: ({ command, run, runText }, program) => {
      const rest = command.args.slice(firstOperand(command.args, program));
      return rest.length === 1 ? runText(rest[0] ?? "") : run(rest);
    },
  },
  hyperfine: {
    runs: "lines",
    short: "wmMrpsSniuN",
    long: ["warmup", "runs", "prepare", "shell", "export-json"],
    follow: runLines,
  },
  concurrently: { runs: "lines", short: "nclmpk", long: ["names", "prefix"], follow: runLines },
  su: {
    runs: "lines",
    line: ["c", "command"],
    // A shell in any case, which reads its own input if it is given no line.
    follow: (launching, program) => runLine(launching, program) ?? launching.run(["sh"]),
  },
  sg: { runs: "lines", line: ["c"], follow: runLine },
  nix: {
    follow: ({ command, run }) => {
      const at = command.args.findIndex((arg) => /^(?:-c|--command|--)$/.test(arg));
      return at === -1 ? undefined : run(command.args.slice(at + 1));
    },
  },
  "nix-shell": { runs: "lines", line: [null, "run", "command"], follow: runLine },
  nodemon: { line: ["x", "exec"], follow: runLine },
  script: {
    short: "tT",
    line: ["c", "command"],
    // `script FILE COMMAND` on BSD and macOS, `script -c LINE` elsewhere.
    follow: (launching, program) => {
      const { args } = launching.command;
      const rest = args.slice(firstOperand(args, program) + 1);
      return runLine(launching, program) ?? (rest.length === 0 ? undefined : launching.run(rest));
    },
  },
  tmux: {
    // Each word may be a line for a shell: that of a new window, or what is typed into one.
    follow: ({ command: { args }, runText }) => {
      for (const word of args) if (word.includes(" ")) runText(word);
      const at = args.findIndex((arg) => /^send(?:-keys)?$/.test(arg));
      if (at !== -1) runText(typedKeys(args.slice(firstOperand(args, { short: "tN" }, at + 1))));
      return undefined;
    },
  },
  screen: {
    short: "ScehptTX",
    follow: ({ command: { args }, run, runText }, program) => {
      const at = args.indexOf("stuff");
      if (at !== -1) {
        const typed = args.slice(at + 1).join(" ");
        return runText(typed.replaceAll(/\\(?:n|r|01[25])|\^[MJ]/g, "\n"));
      }
      const rest = args.slice(firstOperand(args, program));
      return rest.length === 0 ? undefined : run(rest);
    },
  },
  ...named("vim vi nvim ex view ed less psql sqlite3 mysql", { follow: runEscapes }),
  gdb: {
    runs: "command",
    opensFiles: true,
    short: "xdsp",
    long: ["ex", "command"],
    follow: (launching, program) => {
      runEscapes(launching);
      return unwrap(launching, program);
    },
  },
  rsync: {
    line: ["e", "rsh"],
    follow: (launching, program) => void runLine(launching, program),
  },
  ssh: {
    short: "BbcDEeFIiJLlmOopQRSWw",
    changesRoot: true,
    follow: runSsh,
  },
};

/** What ssh runs runs elsewhere, and deletes there. */
function runSsh(launching: Launching, program: Program) {
  const { command, runText } = launching;
  const at = firstOperand(command.args, program);
  for (const arg of command.args.slice(0, at)) {
    const [, local] = /^(?:-o)?\s*(?:Proxy|Local)Command\s*[= ]([\s\S]*)$/i.exec(arg) ?? [];
    if (local !== undefined) runText(local);
  }
  const line = command.args.slice(at + (command.args[at + 1] === "--" ? 2 : 1));
  if (line.length === 0) return undefined;
  const printed = inFolder(launching, marks.unknown, () => runText(line.join(" ")));
  // What is printed there comes from elsewhere.
  return { commands: [command, ...(printed?.commands ?? [])], text: null };
}

/** What tmux types: words as they are, and keys by their names. */
function typedKeys(words: readonly string[]): string {
  return words.map((word) => keys[word.toLowerCase()] ?? word).join("");
}

const keys: Readonly<Record<string, string>> = {
  enter: "\n",
  kpenter: "\n",
  "c-m": "\n",
  "c-j": "\n",
  space: " ",
};
