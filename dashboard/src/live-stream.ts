import type { RunEvent } from "../../src/record/port/run-event.ts";

/** Rows between two sequence numbers that the daemon left out because the page was too slow. */
export interface Gap {
  readonly after: number;
  readonly before: number;
}

export type StreamState = "connecting" | "live" | "lost";

export interface StreamOptions {
  /** Opens a socket that begins after this row, or now. */
  connect(afterSeq: number | null): WebSocket;
  onRow(row: RunEvent): void;
  onGap(gap: Gap): void;
  onState(state: StreamState): void;
  /** Asked before it tries again: whoever is not let in need not try. */
  mayReconnect(): Promise<boolean>;
  wait(ms: number): Promise<void>;
}

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/**
 * The record as it grows. A connection that is lost is made again, each time after twice the wait, and goes on after the
 * last row that was heard of: nothing that was written meanwhile is missing.
 */
export class LiveStream {
  readonly #options: StreamOptions;
  #socket: WebSocket | null = null;
  #lastSeq: number | null = null;
  #waitMs = firstWaitMs;
  #isClosed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #open(): void {
    const { connect, onState } = this.#options;
    onState("connecting");
    const socket = connect(this.#lastSeq);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#waitMs = firstWaitMs;
      onState("live");
    });
    socket.addEventListener("message", ({ data }) => this.#take(String(data)));
    socket.addEventListener("close", () => void this.#reopen());
  }

  #take(text: string): void {
    const { row, gap } = JSON.parse(text) as { row?: RunEvent; gap?: Gap };
    if (row !== undefined) {
      this.#lastSeq = row.seq;
      this.#options.onRow(row);
    }
    if (gap !== undefined) {
      this.#lastSeq = gap.before - 1;
      this.#options.onGap(gap);
    }
  }

  async #reopen(): Promise<void> {
    if (this.#isClosed) return;
    this.#options.onState("lost");
    await this.#options.wait(this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
    if (this.#isClosed || !(await this.#options.mayReconnect())) return;
    if (!this.#isClosed) this.#open();
  }
}
