import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import type { Adapter } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { bypassesIn, type StartedWith } from "../port/bypass.ts";
import { readText } from "./edit-files.ts";

/** A process of an agent that does without our hooks, and why. */
export interface UnguardedAgent {
  readonly pid: number;
  readonly agent: AgentName;
  readonly why: string;
}

interface Started extends StartedWith {
  readonly pid: number;
  readonly parent: number;
  readonly cwd: string;
}

/**
 * Running agents of this user, with this home folder, that were started in a way in which our hooks have no part: with a
 * flag, with a variable, or on settings of another folder that have no entry of ours. Where there is no /proc nothing is seen.
 */
export function unguardedAgents(
  adapters: readonly Adapter[],
  home: string,
  proc = "/proc",
): UnguardedAgent[] {
  const found = pidsIn(proc).flatMap((pid): (UnguardedAgent & { parent: number })[] => {
    const process = startedIn(proc, pid);
    const adapter =
      process === null ? undefined : adapters.find((one) => startOf(process.args, one) !== null);
    if (process === null || adapter === undefined || process.env.HOME !== home) return [];
    const why = whyUnguarded(adapter, { ...process, args: startOf(process.args, adapter) ?? [] });
    return why === null ? [] : [{ pid, parent: process.parent, agent: adapter.agent, why }];
  });
  // Some agents are a program that starts the real one with the same arguments: the first of them is the one to end.
  const pids = new Set(found.map(({ pid }) => pid));
  return found.filter(({ parent }) => !pids.has(parent)).map(({ parent: _, ...rest }) => rest);
}

function whyUnguarded(adapter: Adapter, { args, env, cwd }: Started): string | null {
  const [first] = bypassesIn({ args, env }, adapter.bypasses);
  if (first !== undefined) return `was started with ${first.written}: ${first.bypass.effect}`;
  const { settings, title } = adapter;
  const folders = { home: env.HOME ?? "", project: cwd, env: { ...env } };
  const files = (["user", "project"] as const).map((scope) => settings.file(scope, folders));
  if (files.some((file) => hasEntry(adapter, file))) return null;
  return `reads ${files[0]}, where ${title} has no entry of ours`;
}

/** What cannot be read may have one. */
function hasEntry({ settings }: Adapter, file: string): boolean {
  try {
    return settings.installed(readText(file) ?? "", file).length > 0;
  } catch (error) {
    if (error instanceof SwarmError) return true;
    throw error;
  }
}

const interpreters = /^(node|nodejs|bun|deno|sh|bash|dash|zsh)$/;

/** The arguments after the agent's program, which is started itself or by an interpreter; null: it is another program. */
function startOf(args: readonly string[], { programs }: Adapter): readonly string[] | null {
  const isProgram = (word = "") => programs.includes(basename(word).replace(/\.(exe|[cm]?js)$/, ""));
  if (isProgram(args[0])) return args.slice(1);
  if (!interpreters.test(basename(args[0] ?? ""))) return null;
  const at = args.findIndex((word, index) => index > 0 && !word.startsWith("-"));
  return at > 0 && isProgram(args[at]) ? args.slice(at + 1) : null;
}

function pidsIn(proc: string): number[] {
  try {
    const uid = process.getuid?.();
    return readdirSync(proc)
      .filter(
        (name) => /^\d+$/.test(name) && statSync(join(proc, name), { throwIfNoEntry: false })?.uid === uid,
      )
      .map(Number);
  } catch {
    return []; // a system without it
  }
}

/** Null for one that has ended, or that this user may not look into. */
function startedIn(proc: string, pid: number): Started | null {
  const read = (name: string) => readFileSync(join(proc, String(pid), name), "utf8");
  try {
    const args = read("cmdline").split("\0").slice(0, -1);
    const pairs = read("environ")
      .split("\0")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
    // The name of the program is in brackets, and may hold any byte.
    const [, parent = "0"] = /\) \S (\d+)/.exec(read("stat")) ?? [];
    const cwd = readlinkSync(join(proc, String(pid), "cwd"));
    return { pid, parent: Number(parent), args, env: Object.fromEntries(pairs), cwd };
  } catch {
    return null;
  }
}
