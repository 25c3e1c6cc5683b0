import { type GivenOptions, givenOptions, type ValuedOptions } from "./given-options.ts";

/** A program with a prompt of its own, and what keeps it from showing that. */
interface Prompt extends ValuedOptions {
  /** Options with which it does what they say and ends; letters and long names. */
  readonly ends?: readonly string[];
  /** So many operands leave it at its prompt; with more it does something and ends. Any number when left out. */
  readonly operands?: number;
  /** First operands with which it opens one; any when left out. */
  readonly only?: readonly string[];
  /** First operands with which it opens none. */
  readonly except?: readonly string[];
  /** Options with which it opens one, whatever else it is given. */
  readonly opens?: readonly string[];
  /** How the names of scripts end, which it runs instead. */
  readonly script?: string;
  /** It opens one without operands, too. */
  readonly isAlsoAlone?: true;
}

const always: Prompt = {};
const alone: Prompt = { operands: 0 };

const mysql: Prompt = {
  short: "ehPuDS",
  attached: "p",
  long: ["execute", "host", "port", "user", "database", "socket", "defaults-file"],
  ends: ["e", "execute"],
};

const mongo: Prompt = {
  short: "up",
  long: ["host", "port", "username", "password", "authenticationDatabase", "eval", "file"],
  ends: ["eval", "f", "file"],
  script: ".js",
};

/** Databases, calculators, other machines: whatever takes commands one after the other. */
const table: Readonly<Record<string, Prompt>> = {
  psql: {
    short: "cdfFhLopPRTUv",
    long: [
      "command",
      "file",
      "dbname",
      "host",
      "port",
      "username",
      "variable",
      "set",
      "output",
      "field-separator",
    ],
    ends: ["c", "command", "f", "file", "l", "list"],
  },
  mysql,
  mariadb: mysql,
  mongo,
  mongosh: mongo,
  "redis-cli": {
    short: "hpsaunridD",
    long: ["user", "pass", "eval", "sni", "cacert", "cert", "key"],
    ends: ["eval", "x", "stat", "scan", "bigkeys", "latency", "rdb"],
    operands: 0,
  },
  "valkey-cli": { short: "hpsaunridD", ends: ["eval"], operands: 0 },
  sqlcmd: { short: "SUPdiQqovhsW", ends: ["Q", "i"] },
  "clickhouse-client": {
    short: "qhud",
    long: ["query", "host", "user", "password", "database"],
    ends: ["q", "query"],
  },
  cqlsh: { short: "efupk", long: ["execute", "file"], ends: ["e", "execute", "f", "file"] },
  pgcli: { short: "hpUd", ends: ["l", "list"] },
  mycli: { short: "hPuSDe", ends: ["e", "execute"] },
  litecli: { short: "e", ends: ["e", "execute"] },
  "cypher-shell": { short: "apuf", ends: ["f", "file"], operands: 0 },
  snowsql: { short: "qfacu", ends: ["q", "query", "f", "filename"] },
  sftp: { short: "BbcDFiJloPRSsX", ends: ["b"] },
  lftp: { short: "cefup", ends: ["c", "f"] },
  ...byName(
    ["bpython", "ptpython", "ptipython", "jshell", "groovysh", "ammonite", "radian", "csharp", "nslookup"],
    alone,
  ),
  ...byName(["utop", "sbcl", "clisp", "guile", "racket", "gosh", "maxima", "gp", "sage", "octave"], alone),
  ...byName(["erl", "kotlin", "ocaml", "swipl", "gnuplot", "wish", "bc", "dc", "fsharpi", "csi"], alone),
  ...byName(["ts-node", "tsx", "expect", "gnuplot", "matlab", "hoogle", "nickle", "R", "r"], alone),
  ...byName(["luajit", "evcxr", "gore", "yaegi", "coqtop", "gprolog", "mit-scheme", "fsi"], alone),
  ...byName(
    ["kotlinc", "chicken-csi", "influx", "jupyter-console", "nbb", "node-repl", "qjs", "d8", "jsc"],
    alone,
  ),
  ...byName(
    ["janet", "fennel", "hy", "coconut", "gforth", "factor", "scheme", "petite", "chez", "ecl", "ccl"],
    alone,
  ),
  ...byName(
    ["cling", "gap", "yap", "sicstus", "jconsole", "frink", "wolframscript", "stata", "msfconsole"],
    alone,
  ),
  ...byName(
    ["r2", "radare2", "rizin", "scapy", "bluetoothctl", "wpa_cli", "iwctl", "virsh", "rpcclient"],
    alone,
  ),
  ...byName(
    ["zkcli.sh", "zookeeper-shell", "asterisk", "fs_cli", "iredis", "usql", "mssql-cli", "murex"],
    alone,
  ),
  ...byName(["rhino", "jjs", "jrunscript", "raku", "moo", "idris", "agda", "idris2", "lean", "elm"], alone),
  ...byName(["smbclient", "ncftp", "gdisk", "cgdisk", "cfdisk", "fdisk", "parted"], {
    ends: ["l", "list", "L", "c"],
  }),
  ...byName(["spark-shell", "pyspark", "spark-sql", "sparkR"], {
    long: ["master", "conf", "packages", "jars", "driver-memory", "deploy-mode", "name"],
    short: "ef",
    ends: ["e", "f"],
    operands: 0,
  }),
  ...byName(["hive", "beeline"], { short: "efunpd", ends: ["e", "f"] }),
  ...byName(["hbase", "mongos", "terraform", "tofu", "cockroach", "dolt", "consolectl"], {
    only: ["shell", "console", "sql"],
    short: "eq",
    long: ["execute", "query"],
    ends: ["e", "execute", "q", "query"],
  }),
  ...byName(["rterm", "sml", "poly", "ksql", "arangosh", "sqsh", "xsb", "gosh", "newlisp", "picat"], alone),
  ...byName(["trino", "presto", "impala-shell", "db2", "isql", "fbsql"], {
    short: "ef",
    long: ["execute", "file", "server", "catalog", "schema", "user"],
    ends: ["e", "f", "execute", "file"],
    operands: 1,
  }),
  ...byName(["crystal", "nim", "rebar3"], { only: ["i", "secret", "shell"] }),
  osqueryi: { operands: 0 },
  irb: { short: "rI", ends: ["v"], operands: 0 },
  "octave-cli": alone,
  pry: { short: "reI", operands: 0 },
  ipython: { short: "cm", ends: ["c", "m"], operands: 0, opens: ["i", "pdb"] },
  julia: { short: "eELpt", ends: ["e", "E"], operands: 0, opens: ["i"] },
  clojure: { short: "A", ends: ["M", "X", "T", "P"], operands: 0, opens: ["A"] },
  clj: { short: "A", ends: ["M", "X", "T", "P"], operands: 0, opens: ["A"] },
  dotnet: { only: ["fsi"], operands: 1 },
  sbt: { only: ["shell", "console", "consolequick", "test:console"], isAlsoAlone: true },
  bb: { only: ["repl"], isAlsoAlone: true },
  "scala-cli": { only: ["repl", "console"], isAlsoAlone: true },
  ...byName(["sqlplus", "usql", "cmd", "capsh"], { operands: 1 }),
  ...byName(["stack", "cabal", "swift", "rebar3", "jupyter", "bq"], {
    only: ["repl", "v1-repl", "v2-repl", "new-repl", "ghci", "shell", "console"],
  }),
  ...byName(["guix", "devbox", "devenv", "pixi", "railway", "flox", "heroku", "eb", "nomad"], {
    only: ["shell", "activate", "ps:exec", "ssh"],
  }),
  ...byName(["tsh", "teleport"], { only: ["ssh"], operands: 2 }),
  ...byName(["at", "batch"], always),
  crontab: { short: "u", ends: ["l", "r"], operands: 0 },
  lein: { only: ["repl"] },
  deno: { only: ["repl"] },
  bun: { only: ["repl"] },
  rails: { only: ["console", "c", "dbconsole", "db"] },
  flask: { only: ["shell"] },
  poetry: { only: ["shell"] },
  pipenv: { only: ["shell"] },
  hatch: { only: ["shell"] },
  nix: { short: "c", long: ["command"], ends: ["c", "command"], only: ["develop", "shell", "repl"] },
  "nix-shell": { short: "pAIE", long: ["run", "command"], ends: ["run", "command"] },
  vagrant: { short: "c", long: ["command"], ends: ["c", "command"], only: ["ssh"] },
  multipass: { only: ["shell"] },
  limactl: { only: ["shell"] },
  adb: { short: "s", only: ["shell"], operands: 1 },
  toolbox: { only: ["enter"] },
  distrobox: { only: ["enter"] },
  machinectl: { only: ["shell", "login"] },
  wsl: alone,
  // `iex -S mix phx.server`; elsewhere it is short for Invoke-Expression.
  iex: { ends: ["v"], operands: 0, opens: ["S", "r", "sname", "name", "remsh", "dot-iex"] },
  unshare: { short: "SG", long: ["map-user", "map-group", "setuid", "setgid"], operands: 0 },
  nsenter: { short: "tSG", long: ["target", "setuid", "setgid"], operands: 0 },
  newgrp: { operands: 1 },
  chroot: { long: ["userspec", "groups"], operands: 1 },
};

/** Agents: on their own prompt a line that begins with `!` goes to a shell, and no hook is called. */
const agent: Prompt = {
  ends: ["p", "print", "prompt"],
  short: "mrc",
  long: ["model", "resume", "continue", "add-dir"],
  except: [
    ...[
      "mcp",
      "doctor",
      "update",
      "config",
      "plugin",
      "exec",
      "e",
      "login",
      "logout",
      "completion",
      "install",
    ],
    ...["auth", "features", "hooks", "extensions", "skills", "run", "serve", "models", "agents", "debug"],
    ...["stats", "export", "import", "help", "version", "upgrade", "uninstall", "review", "apply"],
  ],
};

/** Those that start a shell when they are told to, or talk to another machine. */
const escapes: Readonly<Record<string, Prompt>> = {
  ...byName(["ftp", "telnet", "mosh", "rsh", "rlogin", "minicom", "picocom"], always),
  ...byName(["claude", "codex", "gemini", "qwen", "copilot", "opencode", "cursor-agent"], agent),
  gdb: { short: "xdspc", long: ["ex", "command"], ends: ["batch"] },
  lldb: { short: "osSfp", long: ["one-line", "source"], ends: ["b", "batch"] },
  ...byName(["pdb", "ipdb", "jdb", "rdbg", "byebug"], always),
  mail: { short: "sScbraA", ends: ["s"] },
  mailx: { short: "sScbraA", ends: ["s"] },
  openssl: { only: ["s_client", "s_server"], isAlsoAlone: true },
  dlv: { only: ["debug", "exec", "attach", "connect", "test", "core"] },
  nc: { short: "pwsxXiIqT", ends: ["z"] },
  ncat: { short: "pwsi", ends: ["z"] },
  netcat: { short: "pwsxXiIqT", ends: ["z"] },
  ...byName(
    ["tig", "lazygit", "gitui", "mc", "ranger", "nnn", "vifm", "lf", "mutt", "neomutt", "ncdu"],
    always,
  ),
};

function byName(names: readonly string[], prompt: Prompt): Record<string, Prompt> {
  return Object.fromEntries(names.map((name) => [name, prompt]));
}

/** Options with which any program only says something of itself. */
const telling = ["version", "help", "V"];

/** Whether a program shows a prompt and takes what is typed there; null when it is none of these. */
export function showsPrompt(program: string, args: readonly string[]): boolean | null {
  if (program === "sqlite3" || program === "duckdb") return isSqlitePrompt(args);
  if (longWords.has(program)) return isLongPrompt(args);
  if (program === "elixir") return args.some((arg, at) => arg === "iex" && args[at - 1] === "-S");
  // `scala3` is `scala`.
  const name = Object.hasOwn(table, program) ? program : program.replace(/[\d.]+$/, "");
  const prompt = Object.hasOwn(table, name) ? table[name] : undefined;
  if (prompt === undefined)
    return args.length === 0 && /(?:^|[-_.])(?:repl|console|shell)$/.test(program) ? true : null;
  return isPrompt(prompt, givenOptions(args, prompt));
}

/** Their long options have one dash, and a value each that is no script of theirs. */
const longWords: ReadonlySet<string> = new Set(["ghci", "scala", "scala3", "ocaml"]);

function isLongPrompt(args: readonly string[]): boolean {
  if (args.some((arg) => /^--?(?:e|version|help|numeric-version|V)$/.test(arg))) return false;
  return !args.some((arg, at) => /\.(?:ml|scala|sc|cmo)$/.test(arg) && !/^-/.test(args[at - 1] ?? ""));
}

const promptName =
  /^(?:(?:v\d|new)-repl|repl|shell|console|jshell|irb|pry|iex|ghci|ipython|sqlsh|dbshell|dbconsole|tinker)$|:(?:repl|shell|console|jshell|psql|dbconsole)$|^jshell:run$/;
const runVerb = /^(?:run|exec|ssh|db|sql|r|debug)$/;
const promptOption = /^--(?:repl|console|pdb|ipdb|interactive-shell)$/;

/** Whether the words of a program that nobody here knows ask it for a prompt: `make console`, `npm run repl`. */
export function asksForPrompt(args: readonly string[]): boolean {
  if (args.some((arg) => promptOption.test(arg))) return true;
  const [first = "", second = "", third] = args.filter((arg) => !arg.startsWith("-"));
  // `gcloud sql connect x`
  if (first === "sql" && second === "connect" && third !== undefined) return true;
  return promptName.test(runVerb.test(first) ? second : first);
}

/** Whether one that is no interpreter itself has a way to a shell, or to another machine. */
export function leadsToShell(program: string, args: readonly string[]): boolean {
  if (program === "socat") return args.some((arg) => /^(?:-|stdio|readline)(?:,|$)/i.test(arg));
  const prompt = Object.hasOwn(escapes, program) ? escapes[program] : undefined;
  return prompt !== undefined && isPrompt(prompt, givenOptions(args, prompt));
}

function isPrompt(
  { ends = [], operands: most, only, except, opens = [], isAlsoAlone, script }: Prompt,
  { options, operands }: GivenOptions,
): boolean {
  const [first = ""] = operands;
  if (opens.some((name) => options.has(name))) return true;
  if (isAlsoAlone === true && operands.length === 0) return !telling.some((name) => options.has(name));
  if (script !== undefined && operands.some((word) => word.endsWith(script)) && !options.has("shell"))
    return false;
  if (only !== undefined && !only.includes(first)) return false;
  if (except?.includes(first) === true) return false;
  if (most !== undefined && operands.filter((word) => word !== "-").length > most) return false;
  // `-f -` is what is typed again.
  const ended = [...ends, ...telling].filter((name) => options.has(name));
  return ended.every((name) => /^(?:-|\/dev\/(?:stdin|tty|fd\/0))$/.test(options.get(name) ?? ""));
}

/** Its long options have one dash, and `-cmd` runs before the prompt is shown. */
function isSqlitePrompt(args: readonly string[]): boolean {
  const valued = /^--?(?:cmd|init|separator|newline|nullvalue|maxsize|mmap|vfs|pagecache|lookaside|heap)$/;
  const words = args.filter((arg, at) => !arg.startsWith("-") && !valued.test(args[at - 1] ?? ""));
  if (args.some((arg) => /^--?(?:version|help)$/.test(arg))) return false;
  return words.length < 2 && !args.some((arg) => /^-(?:c|s)$|^--?A/.test(arg));
}
