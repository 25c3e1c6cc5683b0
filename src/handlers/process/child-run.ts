import type { ChildProcess } from "node:child_process";
import { performance } from "node:perf_hooks";
import { limits as bounds } from "../../base/limits.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { endingOf } from "./ending-of.ts";
import { explainStartFailure } from "./explain-start-failure.ts";
import { freeChunk } from "./free-chunk.ts";
import { isGroupGone, signalGroup } from "./process-group.ts";
import type { ProcessLimits } from "./process-limits.ts";
import { nextRunId } from "./run-id.ts";
import { RunMembers } from "./run-members.ts";
import type { ProcessEnding, ProcessResult, ProcessSpec } from "./run-process.ts";
import { spawnContained } from "./spawn-contained.ts";
import { SpillFile } from "./spill-file.ts";

/**
 * One child process, from its start to the one result it has.
 *
 *     running ──exit──▶ draining ──pipes closed──▶ settled
 *        │                 │ somebody else holds a pipe
 *        │                 ▼
 *        │              forcing ──pipes closed, or drainMs──▶ settled
 *        │                 ▲ killGraceMs, or all have left
 *        └──deadline,──▶ ending
 *           abort, flood
 *
 * Every state but `running` and `settled` has a timer of ours that leaves it, and `running` has the deadline: no
 * child can keep the promise open by what it does with its pipes, its signals or its children.
 */
export class ChildRun {
  readonly #spec: ProcessSpec;
  readonly #limits: ProcessLimits;
  readonly #resolve: (result: ProcessResult) => void;
  readonly #id = nextRunId();
  readonly #startedAtMs = performance.now();
  readonly #stdout: BoundedOutput;
  readonly #stderr: BoundedOutput;
  #state: "running" | "draining" | "ending" | "forcing" | "settled" = "running";
  #child: ChildProcess | null = null;
  #members: RunMembers | null = null;
  #ending: ProcessEnding = { how: "not_started", error: "it was not tried" };
  #isClosed = false;
  #isFlooded = false;
  #spill: SpillFile | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(spec: ProcessSpec, limits: ProcessLimits, resolve: (result: ProcessResult) => void) {
    this.#spec = spec;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#stdout = new BoundedOutput(limits.stdoutBytes);
    this.#stderr = new BoundedOutput(limits.stderrBytes);
  }

  start(): void {
    if (this.#spec.signal?.aborted === true) {
      this.#settle({ how: "cancelled" });
      return;
    }
    try {
      this.#child = spawnContained(this.#spec, this.#limits, this.#id);
      this.#attend(this.#child);
    } catch (error) {
      this.#onStartFailure(error);
    }
  }

  #attend(child: ChildProcess): void {
    child.on("error", this.#onStartFailure);
    if (child.pid === undefined) return; // the error follows in the next tick
    this.#members = new RunMembers(child.pid, this.#id, this.#startedAtMs);
    child.on("exit", this.#onExit);
    child.on("close", this.#onClose);
    child.stdout?.on("data", this.#onStdout);
    child.stderr?.on("data", this.#onStderr);
    for (const pipe of child.stdio) pipe?.on("error", ignoreBrokenPipe);
    child.stdin?.end(this.#spec.stdin);
    this.#spec.signal?.addEventListener("abort", this.#onAbort);
    this.#after(Math.min(this.#spec.timeoutMs, bounds.maxTimeoutMs), this.#onDeadline);
  }

  readonly #onStartFailure = (error: unknown): void => {
    this.#settle({ how: "not_started", error: explainStartFailure(this.#spec, error) });
  };

  readonly #onStdout = (chunk: Buffer): void => {
    if (this.#spec.print !== undefined) {
      this.#spec.print(chunk);
      freeChunk(chunk);
      return;
    }
    const { length } = chunk; // a chunk that was taken whole has none any more
    const taken = this.#stdout.add(chunk);
    if (taken === length || (this.#state !== "running" && this.#state !== "draining")) return;
    if (!this.#isFlooded) this.#startSpill();
    this.#spill?.add(chunk.subarray(taken), taken === 0);
    if (this.#spill?.isOver === false) return;
    // Not read any further: the child gets a broken pipe, and our memory stays as it is.
    this.#child?.stdout?.destroy();
    this.#end({ how: "flooded", spillPath: null });
  };

  #startSpill(): void {
    this.#isFlooded = true;
    const { spillFolder } = this.#spec;
    const source = this.#child?.stdout;
    if (spillFolder === null || !source) return;
    this.#spill = SpillFile.create(spillFolder, this.#id, this.#limits.spillBytes, source);
    // The file holds the whole output: a tail that starts in the middle of a line explains little.
    this.#spill?.add(this.#stdout.bytes, false);
  }

  readonly #onStderr = (chunk: Buffer): void => {
    this.#spec.print?.(chunk);
    // Its start is kept all the same: how bwrap failed is read from it.
    if (this.#stderr.add(chunk) === 0) freeChunk(chunk);
  };

  readonly #onExit = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
    if (this.#state !== "running") return;
    this.#state = "draining";
    // Without a code it is not a success, whatever the reason.
    this.#ending =
      exitCode === null ? { how: "signalled", signal: signal ?? "unknown" } : { how: "exited", exitCode };
    this.#after(this.#limits.drainMs, this.#force);
  };

  readonly #onClose = (): void => {
    this.#isClosed = true;
    if (this.#state === "draining") {
      // Whoever was left in the background without our pipes goes too. One system call; no search of /proc here:
      // at 25 to 35 µs a process it would double the 2 ms of a run on a machine with 80 processes.
      this.#signal("SIGKILL");
      this.#settle(this.#ending);
    } else if (this.#state === "ending") {
      // When bwrap has gone, so has its namespace: there is nobody left who could clean up.
      if (this.#limits.namespace !== null || this.#isGroupGone()) this.#force();
    } else if (this.#state === "forcing") {
      this.#settle(this.#ending);
    }
  };

  /**
   * In a loop that was held up the deadline's timer comes before the news of an exit long past: those wait for the
   * poll phase, which lies between timers and immediates. A child that was in time is not punished for our delay.
   */
  readonly #onDeadline = (): void => {
    setImmediate(() => {
      if (this.#state === "running") this.#end({ how: "timed_out" });
    });
  };

  readonly #onAbort = (): void => {
    if (this.#state === "running") this.#end({ how: "cancelled" });
  };

  #end(ending: ProcessEnding): void {
    this.#state = "ending";
    this.#ending = ending;
    if (this.#limits.namespace === null) {
      // Before the first signal: once a parent has died, its children can no longer be told from others.
      this.#members?.note();
      this.#signal("SIGTERM");
      // bwrap itself dies of a TERM, and its namespace with it, before anybody in there could clean up.
    } else if (this.#members?.askInside() !== true) this.#signal("SIGTERM");
    this.#after(this.#limits.killGraceMs, this.#force);
  }

  /**
   * Ends all that is left, asked or not. `child.killed` says that a signal was sent, not that anybody died of it: it
   * is no reason to leave this out.
   */
  readonly #force = (): void => {
    this.#state = "forcing";
    this.#signal("SIGKILL");
    this.#members?.kill();
    if (this.#isClosed) this.#settle(this.#ending);
    // Even now the pipes are read to their end if nobody holds them: the answer may still be in there.
    else this.#after(this.#limits.drainMs, () => this.#settle(this.#ending));
  };

  #settle(ending: ProcessEnding): void {
    if (this.#state === "settled") return;
    this.#state = "settled";
    clearTimeout(this.#timer);
    this.#spec.signal?.removeEventListener("abort", this.#onAbort);
    // Pipes and child are let go: a process nobody can end, one in an uninterruptible sleep, must not hold us.
    for (const pipe of this.#child?.stdio ?? []) pipe?.destroy();
    this.#child?.unref();
    const ms = performance.now() - this.#startedAtMs;
    const [stdout, stderr] = [this.#stdout.text(), this.#stderr.text()];
    const resolve = (ended: ProcessEnding) => this.#resolve({ ending: ended, stdout, stderr, ms });
    if (this.#spill !== null) {
      this.#spill.close(this.#limits.killGraceMs, (spillPath) => resolve({ how: "flooded", spillPath }));
      return; // on a slow disk the output is still being written when the waiting for it is over
    }
    this.#stdout.free();
    this.#stderr.free();
    if (this.#isFlooded) resolve({ how: "flooded", spillPath: null });
    else resolve(endingOf(this.#spec, this.#limits, ending, stderr));
  }

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, signal);
  }

  #isGroupGone(): boolean {
    return this.#child?.pid === undefined || isGroupGone(this.#child.pid);
  }

  #after(delayMs: number, callback: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(callback, delayMs);
  }
}

/** A child may close its input without reading it. Without a listener that EPIPE would end this process. */
function ignoreBrokenPipe(): undefined {
  return undefined;
}
