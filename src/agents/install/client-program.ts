import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "../../base/ids.ts";
import { isExecutable } from "../../base/is-executable.ts";
import { replaceFile } from "../../base/replace-file.ts";
import { noteClient } from "./client-digest.ts";
import type { ClientPlace } from "./client-place.ts";
import { answerScript, startScript } from "./client-script.ts";
import { clientSettings, withSettings } from "./client-settings.ts";

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

/** Makes the program agents start, in `SWARM_HOME/bin`: a prebuilt one, or compiled here if anything here can. */
export function makeClient(place: ClientPlace): ClientProgram {
  const program = join(place.home, "bin", "swarm-hook");
  const problems: string[] = [];
  const settings = clientSettings(place);
  if (place.prebuilt !== null) {
    const problem = takePrebuilt(place.prebuilt, program, settings);
    if (problem === null) {
      noteClient(place.home, [program]);
      return { kind: "native", argv: [program], note: null };
    }
    problems.push(`${place.prebuilt}: ${problem}`);
  }
  let hasCompiler = false;
  for (const { compiler, flags, isStatic } of compilers) {
    const found = find(compiler, place.path);
    if (found === null) continue;
    const problem = compile(found, flags, program, settings);
    if (problem === null) {
      noteClient(place.home, [program]);
      return { kind: "native", argv: [program], note: isStatic ? null : dynamicNote };
    }
    hasCompiler = true;
    problems.push(`${compiler}: ${problem}`);
  }
  const why = [...problems, ...(hasCompiler ? [] : ["there is no C compiler"])].join("; ");
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
  settings: Buffer,
): string | null {
  const define = `-DSWARM_SETTINGS=${cString(settings)}`;
  const standard = ["-std=c11", "-O2", "-D_GNU_SOURCE"];
  return put(program, (made) => {
    execFileSync(compiler, [...standard, ...flags, define, source, "-o", made], { stdio: "pipe" });
  });
}

/** Null when it worked. */
function takePrebuilt(file: string, program: string, settings: Buffer): string | null {
  return put(program, (made) => {
    const filled = withSettings(readFileSync(file), settings);
    if (typeof filled === "string") throw new Error(filled);
    writeFileSync(made, filled, { mode: 0o755, flag: "wx" });
  });
}

/** Has a program made, tried and put in place; why it cannot be, or null. */
function put(program: string, make: (made: string) => void): string | null {
  mkdirSync(dirname(program), { recursive: true, mode: 0o700 });
  const made = `${program}.${newId("new")}`;
  try {
    make(made);
    // One for another machine, or a loader that is missing, shows here and not at the first tool call.
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
function cString(bytes: Buffer): string {
  const escaped = [...bytes].map((byte) =>
    /[A-Za-z0-9_./-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`,
  );
  return `"${escaped.join("")}"`;
}

function find(name: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}
