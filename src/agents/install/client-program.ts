import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../base/ids.ts";
import { isExecutable } from "../../base/is-executable.ts";
import { replaceFile } from "../../base/replace-file.ts";
import { socketPath } from "../../base/sockets.ts";
import { tellingVariables } from "../port/adapter.ts";
import { noteClient } from "./client-digest.ts";
import { argumentsByDefault, type ClientPlace } from "./client-place.ts";
import { answerScript, startScript } from "./client-script.ts";

/** How an agent's hooks reach the daemon, the fastest first. */
export type ClientKind = "native" | "curl" | "node";

export interface ClientProgram {
  readonly kind: ClientKind;
  /** What settings files start: program and its first arguments. */
  readonly argv: readonly [string, ...string[]];
  /** Why it is not a faster or a safer one; null for the best. */
  readonly note: string | null;
}

// The same path from src/agents/install and from dist/install.
const source = join(import.meta.dirname, "..", "..", "..", "native", "swarm-hook.c");

/** Makes the program agents start, in `SWARM_HOME/bin`: compiled here if anything here can. */
export function makeClient(place: ClientPlace): ClientProgram {
  const program = join(place.home, "bin", "swarm-hook");
  const problems: string[] = [];
  for (const { compiler, flags, isStatic } of compilers) {
    const found = find(compiler, place.path);
    if (found === null) continue;
    const problem = compile(found, flags, program, place);
    if (problem === null) {
      noteClient(place.home, [program]);
      return { kind: "native", argv: [program], note: isStatic ? null : dynamicNote };
    }
    problems.push(`${compiler}: ${problem}`);
  }
  const why = problems.length === 0 ? "there is no C compiler" : problems.join("; ");
  const curl = find("curl", place.path);
  const script = `${program}.sh`;
  replaceFile(script, answerScript(curl, place), { mode: 0o700 });
  replaceFile(program, startScript(place, script), { mode: 0o700 });
  noteClient(place.home, [program, script]);
  const note =
    curl === null
      ? `${why}, and no curl: each call takes some 60 ms, by Node`
      : `${why}: each call takes some 15 ms, by curl`;
  return { kind: curl === null ? "node" : "curl", argv: [program], note: `${note}; ${preloadNote}` };
}

/** Static and small starts fastest: 0.33 ms with musl, 0.62 with a static glibc, 0.84 with a shared one. */
const compilers = [
  { compiler: "musl-gcc", flags: ["-static"], isStatic: true },
  { compiler: "cc", flags: ["-static"], isStatic: true },
  { compiler: "cc", flags: [], isStatic: false },
] as const;

/** The loader runs it before the program: only one that needs no loader is safe from it. */
const preloadNote = "LD_PRELOAD in an agent's environment can replace it";
const dynamicNote = `this compiler links no static program: ${preloadNote}`;

/** Null when it worked. */
function compile(
  compiler: string,
  flags: readonly string[],
  program: string,
  { home, node, cli, environment, refusals }: ClientPlace,
): string | null {
  const texts = {
    SWARM_SOCKET: socketPath(home, "hook"),
    SWARM_NODE: node,
    SWARM_CLI: cli,
  };
  const lists = {
    SWARM_VARIABLES: tellingVariables,
    SWARM_ARGUMENTS: argumentsByDefault,
    SWARM_ENVIRONMENT: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  };
  const refusalRows = refusals.map(
    ({ agent, event, exitCode, texts: said }) =>
      `{${cString(agent)},${cString(event)},${exitCode},{${said.map(cString).join(",")}}},`,
  );
  const defines = [
    ...Object.entries(texts).map(([name, text]) => `-D${name}=${cString(text)}`),
    ...Object.entries(lists).map(([name, items]) => `-D${name}=${items.map(cString).join(",")}`),
    `-DSWARM_REFUSALS=${refusalRows.join("")}`,
  ];
  mkdirSync(dirname(program), { recursive: true, mode: 0o700 });
  const made = `${program}.${newId("new")}`;
  const standard = ["-std=c11", "-O2", "-D_GNU_SOURCE"];
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

function find(name: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}
