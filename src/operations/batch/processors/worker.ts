import { limits } from "../../../base/limits.ts";
import { cut, oneLine } from "../../../base/show.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type LastingEnding, LastingProcess } from "../../../handlers/process/lasting-process.ts";
import { defaultProcessLimits } from "../../../handlers/process/process-limits.ts";
import type { Program } from "../../../handlers/process/run-process.ts";
import { type Sandbox, sandboxLimits } from "../../../handlers/process/sandbox.ts";
import type { Chunk, OnPart } from "../port/processor.ts";
import { type ChunkHeader, type Frame, FrameReader, frame } from "./frames.ts";
import { readPart } from "./read-part.ts";

export interface WorkerOptions {
  readonly program: Program;
  readonly sandbox: Sandbox;
  /** Whether it has no network, where the machine can do that. */
  readonly isOffline?: boolean;
  /** What it is told before its first chunk. */
  readonly open: JsonObject;
  /** Until it says that it is ready: a model may take long to load. */
  readonly startTimeoutMs: number;
  readonly recordTimeoutMs: number;
  readonly print: (output: Buffer) => void;
}

/** Whether it may be given chunks. `isFinal`: the next one could not either. */
export type Readiness =
  | { readonly problem: null; readonly facts: JsonObject }
  | { readonly problem: string; readonly isFinal: boolean };

/** How far a worker came with a chunk. Whoever is not "done" has ended, or is about to. */
export type Progress =
  | { readonly how: "done" }
  /** No record was done for too long: the one after `lines` lines, or one of those that follow if not `isExact`. */
  | { readonly how: "stuck"; readonly lines: number; readonly isExact: boolean }
  | { readonly how: "lost"; readonly reason: string };

const tailChars = 2_000;
/**
 * A worker tells of what it has finished at least this often, so that no more than this is lost with it, and of a slow
 * record at once. With 10 ms a run over quick records took 7 % more of the processors' time.
 */
const tellEveryMs = 25;
/** After a deadline, for what has come while we were busy ourselves and is not yet read. */
const lateMs = 100;

/** One worker's process, and what is said to it. */
export class Worker {
  readonly ready: Promise<Readiness>;
  readonly ended: Promise<LastingEnding>;
  /** Why no worker like it can do what is asked, as it has said itself; null while it has not. */
  failure: string | null = null;
  readonly #lasting: LastingProcess;
  readonly #recordTimeoutMs: number;
  #stderr = "";
  #isReady = false;
  #settleReady: (readiness: Readiness) => void = () => undefined;
  #work: Work | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    program,
    sandbox,
    isOffline = false,
    open,
    startTimeoutMs,
    recordTimeoutMs,
    print,
  }: WorkerOptions) {
    this.#recordTimeoutMs = recordTimeoutMs;
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    const reader = new FrameReader((told) => this.#onFrame(told));
    this.#lasting = new LastingProcess(
      { ...program, hasChannel: true },
      { ...defaultProcessLimits, ...sandboxLimits(sandbox, isOffline) },
      {
        onStdout: print,
        onStderr: (output) => {
          this.#stderr = (this.#stderr + output.toString("utf8")).slice(-tailChars);
          print(output);
        },
        onChannel: (bytes) => {
          try {
            reader.add(bytes);
          } catch (error) {
            this.#lose(`said what is no answer (${(error as Error).message})`);
            this.#lasting.kill();
          }
        },
        stderrTail: () => this.#stderr,
      },
    );
    this.ended = this.#lasting.ended;
    this.#after(startTimeoutMs, () => {
      this.#lose(`was not ready within ${startTimeoutMs / 1_000} s`);
      this.#lasting.kill();
    });
    void this.ended.then((ending) => this.#lose(this.#described(ending), ending.how === "not_started"));
    this.#lasting.send(frame({ open }));
  }

  /** One chunk at a time, once it is ready. `isCareful`: it tells after each record, so that a stuck one is known. */
  run(chunk: Chunk, isCareful: boolean, onPart: OnPart): Promise<Progress> {
    const tellMs = isCareful ? 0 : tellEveryMs;
    return new Promise((resolve) => {
      this.#work = { onPart, lines: 0, isCareful, isExact: isCareful, settle: resolve };
      this.#watch();
      const header: Omit<ChunkHeader, "bytes"> = {
        first_line: chunk.firstLine,
        line_count: chunk.lineCount,
        tell_ms: tellMs,
      };
      this.#lasting.send(frame(header, chunk.lines));
    });
  }

  end(): Promise<LastingEnding> {
    return this.#lasting.end();
  }

  kill(): void {
    this.#lasting.kill();
  }

  #onFrame(told: Frame): void {
    const { ready, facts, problem } = told.header;
    if (problem !== undefined) this.#onFailure(oneLine(String(problem), limits.errorChars));
    else if (this.#isReady) this.#onPart(told);
    else if (ready === true) this.#onReady(facts);
    else throw new Error("it is not ready");
  }

  #onReady(facts: unknown): void {
    clearTimeout(this.#timer);
    this.#isReady = true;
    this.#settleReady({ problem: null, facts: (facts ?? {}) as JsonObject });
  }

  #onFailure(problem: string): void {
    this.failure = problem;
    clearTimeout(this.#timer);
    this.#settleReady({ problem, isFinal: true });
  }

  #onPart(told: Frame): void {
    const work = this.#work;
    if (work === null) throw new Error("it was asked nothing");
    const { end, lines, isLast, isWaiting } = readPart(told);
    work.lines += lines;
    if (lines > 0) work.onPart({ lineCount: lines, end });
    work.isExact = work.isCareful || isWaiting;
    if (isLast) this.#settle({ how: "done" });
    else if (!isWaiting) this.#watch();
  }

  /** From its start or its last word on a record may take its time, and as long again as it may be silent about others. */
  #watch(): void {
    this.#after(this.#recordTimeoutMs + tellEveryMs, () => {
      this.#after(lateMs, () => {
        const work = this.#work;
        if (work !== null) this.#settle({ how: "stuck", lines: work.lines, isExact: work.isExact });
        this.#lasting.kill();
      });
    });
  }

  #lose(reason: string, isFinal = false): void {
    clearTimeout(this.#timer);
    this.#settleReady({ problem: `the worker ${reason}`, isFinal });
    this.#settle({ how: "lost", reason });
  }

  #settle(progress: Progress): void {
    clearTimeout(this.#timer);
    const work = this.#work;
    this.#work = null;
    work?.settle(progress);
  }

  #described(ending: LastingEnding): string {
    if (ending.how === "not_started") return `could not be started: ${ending.error}`;
    const how =
      ending.how === "exited" ? `ended with exit code ${ending.exitCode}` : `was ended by ${ending.signal}`;
    return this.#stderr.trim() === "" ? how : `${how}: ${cut(this.#stderr.trim(), tailChars)}`;
  }

  #after(delayMs: number, callback: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(callback, Math.min(delayMs, limits.maxTimeoutMs));
  }
}

interface Work {
  readonly onPart: OnPart;
  lines: number;
  readonly isCareful: boolean;
  isExact: boolean;
  readonly settle: (progress: Progress) => void;
}
