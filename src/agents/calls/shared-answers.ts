import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { redact } from "../../base/redact.ts";
import type { NativeAnswer } from "../port/adapter.ts";
import { type Answers, isProvisional, type Judged, rememberMs } from "./native-calls.ts";

/** How often a process that waits for another one's answer looks for it. */
const lookEveryMs = 4;

/** A file under the call's key: who is judging it, and then what came of it. */
interface Claim {
  readonly pid: number;
  readonly answer: NativeAnswer | null;
}

/**
 * For copies that come to a process each, where there is no daemon. The first to make the call's file judges it; the
 * others wait for its answer as long as it lives. Whatever goes wrong with the files, a call is judged: twice then.
 *
 * Files are in a folder for each minute, so that old ones go without looking at every one of them.
 */
export class SharedAnswers implements Answers {
  readonly #folder: string;
  readonly #nowMs: () => number;

  constructor(home: string, nowMs: () => number = Date.now) {
    this.#folder = join(home, "calls");
    this.#nowMs = nowMs;
  }

  async once(key: string, judge: () => Promise<Judged>): Promise<Judged> {
    const { minute, last, now } = this.#files(key);
    // Looked for first: an error that says so is not free, and on nearly every call there is nothing.
    const found = existsSync(last) ? await answerIn(last) : null;
    if (found !== null) return found;
    if (!this.#claim(minute, now)) return (await answerIn(now)) ?? judge();
    const judged = await judge();
    publish(now, judged);
    return judged;
  }

  /** What another process has answered, or is about to; null when none has the call. */
  async find(key: string): Promise<NativeAnswer | null> {
    const { last, now } = this.#files(key);
    for (const file of [last, now]) {
      const found = existsSync(file) ? await answerIn(file) : null;
      if (found !== null) return found;
    }
    return null;
  }

  #files(key: string) {
    const minute = Math.floor(this.#nowMs() / rememberMs);
    const file = (folder: number) => join(this.#folder, String(folder), key);
    return { minute, last: file(minute - 1), now: file(minute) };
  }

  remember(key: string, answer: NativeAnswer): void {
    const minute = Math.floor(this.#nowMs() / rememberMs);
    const file = join(this.#folder, String(minute), key);
    if (this.#claim(minute, file)) publish(file, answer);
  }

  /** False when another process has it, or nobody can. */
  #claim(minute: number, file: string): boolean {
    try {
      const folder = join(this.#folder, String(minute));
      if (!existsSync(folder)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        this.#forget(minute);
      }
      writeFileSync(file, JSON.stringify({ pid: process.pid, answer: null } satisfies Claim), claimMode);
      return true;
    } catch {
      return false; // there already; or no disk, no rights
    }
  }

  /** Whoever is the first in a minute takes away what is older than the one before. */
  #forget(minute: number): void {
    for (const name of readdirSync(this.#folder)) {
      if (Number(name) < minute - 1) rmSync(join(this.#folder, name), { recursive: true, force: true });
    }
  }
}

/** With a daemon, calls come to one process: what is left is older than any call that comes again. */
export function forgetSharedAnswers(home: string): void {
  rmSync(join(home, "calls"), { recursive: true, force: true });
}

const claimMode = { flag: "wx", mode: 0o600 } as const;

/** A claim is made and then written; whoever dies in between must not be waited for. */
const maxLooksAtNothing = 25;

/** Waits for the answer as long as there is somebody to wait for; null when there is none. */
async function answerIn(file: string): Promise<NativeAnswer | null> {
  for (let looks = 0; ; looks++) {
    // In this order: who has ended may have answered just before.
    const before = read(file);
    const isThere = before !== null && isAlive(before.pid);
    const claim = read(file);
    if (claim !== null && claim.answer !== null) return claim.answer;
    // A claim that was written between the two looks is looked at again: nobody has asked yet whether its process lives.
    const isUnwritten = claim === null || before === null;
    if (isUnwritten ? looks >= maxLooksAtNothing || !existsSync(file) : !isThere) return null;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** A call that could not be judged, or not for good, is left to the others, and so is an answer that must not lie about on a disk. */
function publish(file: string, judged: Judged): void {
  try {
    if (judged instanceof SwarmError || isProvisional(judged) || holdsSecret(judged)) {
      rmSync(file);
      return;
    }
    const made = `${file}.${newId("new")}`;
    writeFileSync(made, JSON.stringify({ pid: process.pid, answer: judged } satisfies Claim), {
      mode: 0o600,
    });
    renameSync(made, file);
  } catch {
    // The others judge it themselves once this process has ended.
  }
}

/** By the same signs as anything that is recorded: in its texts, and under names in the JSON it may be. */
function holdsSecret({ stdout, stderr }: NativeAnswer): boolean {
  const parts: unknown[] = [stdout, stderr];
  if (stdout.startsWith("{")) parts.push(JSON.parse(stdout));
  return JSON.stringify(redact(parts)) !== JSON.stringify(parts);
}

function read(file: string): Claim | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Claim;
  } catch {
    return null; // not written yet, or taken away
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
