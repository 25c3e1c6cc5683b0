import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../base/ids.ts";
import { isExecutable } from "../base/is-executable.ts";
import { shellQuoted } from "../base/shell-quote.ts";
import { socketPath } from "../base/sockets.ts";
import { tellingVariables } from "../ports/adapter.ts";

/** How an agent's hooks reach the daemon, the fastest first. */
export type ClientKind = "native" | "curl" | "node";

export interface ClientProgram {
  readonly kind: ClientKind;
  /** What settings files start: program and its first arguments. */
  readonly argv: readonly [string, ...string[]];
  /** Why it is not a faster one; null for the fastest. */
  readonly note: string | null;
}

export interface ClientPlace {
  readonly home: string;
  /** The Node that evaluates hooks when there is no daemon, and the command line it runs. */
  readonly node: string;
  readonly cli: string;
  /** Where compilers and curl are looked for. */
  readonly path: readonly string[];
}

/**
 * What a client takes itself to be started with when it is started with nothing: by an agent that reads another one's
 * settings and drops the arguments. Whether a guard is in force it cannot know, so there is one; the agent's deadline is
 * the one every entry of ours is installed with.
 */
const argumentsByDefault = ["unknown", "--guard", "--timeout-ms", "59500"];

// The same path from src/install and from dist/install.
const source = join(import.meta.dirname, "..", "..", "native", "swarm-hook.c");

/** Makes the program agents start, in `SWARM_HOME/bin`: compiled here if anything here can. */
export function makeClient(place: ClientPlace): ClientProgram {
  const program = join(place.home, "bin", "swarm-hook");
  const problems: string[] = [];
  for (const { compiler, flags } of compilers) {
    const found = find(compiler, place.path);
    if (found === null) continue;
    const problem = compile(found, flags, program, place);
    if (problem === null) return { kind: "native", argv: [program], note: null };
    problems.push(`${compiler}: ${problem}`);
  }
  const why = problems.length === 0 ? "there is no C compiler" : problems.join("; ");
  const [sh, curl] = ["/bin/sh", find("curl", place.path)];
  if (curl !== null && find("sh", ["/bin"]) !== null) {
    replaceFile(program, curlScript(sh, curl, place));
    return { kind: "curl", argv: [program], note: `${why}: each call takes some 10 ms, by curl` };
  }
  replaceFile(program, nodeScript(place));
  return { kind: "node", argv: [program], note: `${why}, and no curl: each call takes some 50 ms, by Node` };
}

/** Static and small starts fastest: 0.33 ms with musl, 0.62 with a static glibc, 0.84 with a shared one. */
const compilers = [
  { compiler: "musl-gcc", flags: ["-static"] },
  { compiler: "cc", flags: ["-static"] },
  { compiler: "cc", flags: [] },
] as const;

/** Null when it worked. */
function compile(
  compiler: string,
  flags: readonly string[],
  program: string,
  { home, node, cli }: ClientPlace,
): string | null {
  const texts = {
    SWARM_HOME: home,
    SWARM_SOCKET: socketPath(home, "hook"),
    SWARM_NODE: node,
    SWARM_CLI: cli,
  };
  const lists = { SWARM_VARIABLES: tellingVariables, SWARM_ARGUMENTS: argumentsByDefault };
  const defines = [
    ...Object.entries(texts).map(([name, text]) => `-D${name}=${cString(text)}`),
    ...Object.entries(lists).map(([name, items]) => `-D${name}=${items.map(cString).join(",")}`),
  ];
  mkdirSync(dirname(program), { recursive: true, mode: 0o700 });
  const made = `${program}.${newId("new")}`;
  const standard = ["-std=c11", "-O2", "-D_XOPEN_SOURCE=700"];
  try {
    execFileSync(compiler, [...standard, ...flags, ...defines, source, "-o", made], { stdio: "pipe" });
    // A compiler that works for another machine, or a loader that is missing, shows here and not at the first tool call.
    execFileSync(made, ["--self-test"], { stdio: "pipe" });
    renameSync(made, program);
    return null;
  } catch (error) {
    rmSync(made, { force: true });
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    return (stderr?.toString().trim() || message).split("\n")[0] ?? "";
  }
}

/** Octal escapes: whatever a path holds, it stays one string. */
function cString(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) =>
    /[A-Za-z0-9_./-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`,
  );
  return `"${escaped.join("")}"`;
}

function curlScript(sh: string, curl: string, { home, node, cli }: ClientPlace): string {
  return `#!${sh}
# What a coding agent starts for every hook call, where there is no C compiler: swarm-hook AGENT [--guard] [--timeout-ms N]
[ $# -gt 0 ] || set -- ${argumentsByDefault.join(" ")}
agent=$1 guard=0 timeout_ms=0 next=
for argument; do
  case "$next$argument" in
    --guard) guard=1 ;;
    --timeout-ms) next=timeout: ; continue ;;
    timeout:*) timeout_ms=$argument ;;
  esac
  next=
done
fail() {
  [ "$guard" = 1 ] || exit 0
  echo "swarm: denied, because this call could not be judged: $1" >&2
  exit 2
}
input=$(mktemp) && answer=$(mktemp) || fail "there is no temporary file"
trap 'rm -f "$input" "$answer"' EXIT
cat > "$input" || fail "its input cannot be read"
[ "$(wc -c < "$input")" -le 1048576 ] || fail "its input is over 1 MiB"
names=
for name in ${tellingVariables.join(" ")}; do
  eval "value=\\\${$name-} is_set=\\\${$name+1}"
  [ "$is_set" = 1 ] || continue
  # A path or anything odd is handed over by its name only.
  case "$value" in "" | *[!A-Za-z0-9_.-]*) names="$names $name" ;; *) names="$names $name=$value" ;; esac
done
seconds=$((timeout_ms > 0 ? (timeout_ms + 999) / 1000 : 600))
code=$(${shellQuoted(curl)} -sS -o "$answer" -w '%{http_code} %header{x-swarm-exit}' --max-time "$seconds" --unix-socket ${shellQuoted(socketPath(home, "api"))} \\
  -H "x-swarm-guard: $guard" -H "x-swarm-timeout-ms: $timeout_ms" -H "x-swarm-env: $names" -H 'content-type: application/json' \\
  --data-binary "@$input" "http://localhost/hook/$agent" 2>/dev/null)
status=$?
case "$status" in
  0) ;;
  7) # nobody listens: the hooks are evaluated without the daemon
    SWARM_HOME=${shellQuoted(home)} ${shellQuoted(node)} ${shellQuoted(cli)} hook "$@" < "$input"
    ended=$?
    case "$ended" in 0 | 2) exit "$ended" ;; esac
    fail "the daemon is down and the hooks could not be evaluated without it" ;;
  28) fail "no answer came before the agent's own deadline" ;;
  *) fail "the daemon's answer is cut off" ;;
esac
case "$code" in
  "200 0") cat "$answer"; exit 0 ;;
  "200 2") cat "$answer" >&2; exit 2 ;;
  *) fail "the daemon answered $code" ;;
esac
`;
}

function nodeScript({ home, node, cli }: ClientPlace): string {
  return `#!${node}
// What a coding agent starts for every hook call, where there is neither a C compiler nor curl.
process.env.SWARM_HOME = ${JSON.stringify(home)};
if (process.argv.length < 3) process.argv.push(...${JSON.stringify(argumentsByDefault)});
process.argv.splice(1, 1, ${JSON.stringify(cli)}, "hook");
import(${JSON.stringify(cli)});
`;
}

function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${newId("new")}`;
  writeFileSync(made, text, { mode: 0o700, flag: "wx" });
  chmodSync(made, 0o700);
  renameSync(made, file);
}

function find(name: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}
