import { nextTurn } from "../../base/next-turn.ts";

/**
 * Work nobody waits for: observers and `hook.failed`. It starts in a later turn of the event loop, so that it can
 * never delay a decision, and is counted, so that `close` can wait for it.
 */
export class Background {
  #jobs: (() => void)[] = [];
  #isScheduled = false;
  /** Events under way and handlers that are waited for. */
  running = 0;
  #whenIdle: (() => void)[] = [];

  get queued(): number {
    return this.#jobs.length;
  }

  later(job: () => void): void {
    this.#jobs.push(job);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    nextTurn(this.#runJobs);
  }

  /** Something is under way that `close` has to wait for; `leave` when it is over. */
  enter(): void {
    this.running++;
  }

  leave(): void {
    this.running--;
    this.#noteIfIdle();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      // In a later turn: the caller may itself be a handler of an event that is not over yet.
      nextTurn(() => this.#noteIfIdle());
    });
  }

  readonly #runJobs = (): void => {
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#isScheduled = false;
    this.enter();
    for (const job of jobs) job();
    this.leave();
  };

  #noteIfIdle(): void {
    if (this.running > 0 || this.#jobs.length > 0 || this.#whenIdle.length === 0) return;
    const waiting = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of waiting) resolve();
  }
}
