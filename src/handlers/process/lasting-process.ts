import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { performance } from "node:perf_hooks";
import type { Writable } from "node:stream";
import { endingOf } from "./ending-of.ts";
import { explainStartFailure } from "./explain-start-failure.ts";
import { signalGroup } from "./process-group.ts";
import type { ProcessLimits } from "./process-limits.ts";
import { nextRunId } from "./run-id.ts";
import { RunMembers } from "./run-members.ts";
import type { ProcessEnding, Program } from "./run-process.ts";
import { spawnContained } from "./spawn-contained.ts";

export type LastingEnding = Extract<ProcessEnding, { how: "exited" | "signalled" | "not_started" }>;

/** What is heard of it while it runs. */
export interface LastingListener {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** What comes from its descriptor 4, if it has a channel. */
  onChannel?(chunk: Buffer): void;
  /** The end of standard error, to tell a program that failed from one that was never started. */
  stderrTail(): string;
}

type LastingLimits = Pick<ProcessLimits, "namespace" | "ulimits" | "killGraceMs" | "drainMs">;

/**
 * A program that stays and is spoken to through its pipes, until it ends or is ended.
 *
 *     running ──exit──▶ draining ──pipes closed, or drainMs──▶ over
 *        │                 ▲
 *        └──end()──▶ asked ┴──killGraceMs──▶ forced ──exit, or killGraceMs──▶ over
 *
 * When it is over, so is whoever it has started: the group is killed, and on Linux those who left it.
 */
export class LastingProcess {
  /** Resolves when it is over, and how; never rejects. */
  readonly ended: Promise<LastingEnding>;
  readonly #program: Program;
  readonly #limits: LastingLimits;
  readonly #listener: LastingListener;
  readonly #child: ChildProcessWithoutNullStreams | null = null;
  readonly #members: RunMembers | null = null;
  #settle: (ending: LastingEnding) => void = () => undefined;
  #ending: LastingEnding = { how: "signalled", signal: "unknown" };
  #isAsked = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: Program, limits: LastingLimits, listener: LastingListener) {
    this.#program = program;
    this.#limits = limits;
    this.#listener = listener;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    try {
      const id = nextRunId();
      this.#child = spawnContained(program, limits, id);
      this.#child.on("error", this.#onStartFailure);
      if (this.#child.pid === undefined) return; // the error follows in the next tick
      this.#members = new RunMembers(this.#child.pid, id, performance.now());
      this.#attend(this.#child);
    } catch (error) {
      this.#onStartFailure(error);
    }
  }

  /** Null when it could not be started; `ended` says why. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Bytes that were written and not yet taken. */
  get unreadBytes(): number {
    return this.#child?.stdin.writableLength ?? 0;
  }

  /** Calls back when it has been taken, or never will be. */
  write(text: string, written: () => void): void {
    if (this.#child === null || this.#isOver || this.#isAsked) written();
    else this.#child.stdin.write(text, written);
  }

  /** Sends to its descriptor 3. What is on its way when it ends is lost; `ended` tells of that. */
  send(bytes: Buffer): void {
    const channel = this.#child?.stdio[3] as Writable | null | undefined;
    if (!this.#isOver && !this.#isAsked) channel?.write(bytes);
  }

  /** Asks it to end, and ends it if it does not. */
  end(): Promise<LastingEnding> {
    if (this.#isAsked || this.#isOver) return this.ended;
    this.#isAsked = true;
    this.#child?.stdin.end();
    if (this.#limits.namespace === null) {
      // Before the first signal: once a parent has died, its children can no longer be told from others.
      this.#members?.note();
      this.#signal("SIGTERM");
      // bwrap itself dies of a TERM, and its namespace with it, before anybody in there could clean up.
    } else if (this.#members?.askInside() !== true) this.#signal("SIGTERM");
    this.#after(this.#limits.killGraceMs, this.#force);
    return this.ended;
  }

  #attend(child: ChildProcessWithoutNullStreams): void {
    keepTrackOf(this);
    child.on("exit", this.#onExit);
    child.on("close", this.#onClose);
    child.stdout.on("data", (chunk: Buffer) => this.#listener.onStdout(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.#listener.onStderr(chunk));
    child.stdio[4]?.on("data", (chunk: Buffer) => this.#listener.onChannel?.(chunk));
    // One that closes its input without reading it is heard of by its end; the EPIPE would end this process.
    for (const pipe of child.stdio) pipe?.on("error", () => undefined);
  }

  readonly #onStartFailure = (error: unknown): void => {
    this.#ending = { how: "not_started", error: explainStartFailure(this.#program, error) };
    this.#finish();
  };

  readonly #onExit = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
    this.#ending =
      exitCode === null ? { how: "signalled", signal: signal ?? "unknown" } : { how: "exited", exitCode };
    // Its last words may still be in the pipe; somebody it left behind may hold that open for ever.
    this.#after(this.#limits.drainMs, this.#finish);
  };

  readonly #onClose = (): void => this.#finish();

  readonly #force = (): void => {
    this.kill();
    // A process nobody can end, one in an uninterruptible sleep, must not hold us.
    this.#after(this.#limits.killGraceMs, this.#finish);
  };

  /** Ends it and all it has started, at once and without waiting for them. */
  kill(): void {
    this.#signal("SIGKILL");
    this.#members?.kill();
  }

  readonly #finish = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.kill();
    loseTrackOf(this);
    for (const pipe of this.#child?.stdio ?? []) pipe?.destroy();
    this.#child?.unref();
    this.#settle(endingOf(this.#program, this.#limits, this.#ending, this.#listener.stderrTail()));
  };

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, signal);
  }

  #after(delayMs: number, callback: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(callback, delayMs);
  }
}

/** Those that run now. A process that ends by `process.exit` has no time to ask anybody: it takes them along. */
const living = new Set<LastingProcess>();

function keepTrackOf(lasting: LastingProcess): void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(lasting);
}

function loseTrackOf(lasting: LastingProcess): void {
  living.delete(lasting);
  if (living.size === 0) process.off("exit", killAll);
}

function killAll(): void {
  for (const lasting of living) lasting.kill();
}
