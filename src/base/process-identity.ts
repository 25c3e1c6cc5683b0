import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process as others can find it. */
export interface ProcessIdentity {
  /** Machine, its boot and the process namespace: within one, processes can be looked up. */
  readonly place: string;
  readonly pid: number;
  /** When it began, as its system counts; null where it does not say. */
  readonly born: string | null;
}

/** This process, on this boot of this machine, in this namespace of processes. */
export function thisProcess(): ProcessIdentity {
  const boot = readText("/proc/sys/kernel/random/boot_id");
  const place = [hostname(), boot ?? "", linkText("/proc/self/ns/pid") ?? ""].join(" ");
  return { place, pid: process.pid, born: bornOf(process.pid) };
}

/** A number may be given to another process later: only one that began at the same time is the same. */
export function isRunning(pid: number, born: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const [state, bornNow] = statOf(pid) ?? [];
  // One that has ended keeps its number until its parent has asked for its end, which some never do.
  if (state === "Z" || state === "X") return false;
  return born === null || bornNow === undefined || born === bornNow;
}

/** Ticks from boot to its start. */
export function bornOf(pid: number): string | null {
  return statOf(pid)?.[1] ?? null;
}

/** State and start: fields 3 and 22, counted after the name, which may hold anything. */
function statOf(pid: number): readonly [state: string | undefined, born: string | undefined] | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return [fields[0], fields[19]];
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "latin1").trim();
  } catch {
    return null; // no such system
  }
}

function linkText(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
