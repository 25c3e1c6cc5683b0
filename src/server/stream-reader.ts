import { once } from "node:events";
import type { WebSocket } from "ws";
import type { Log } from "../base/log.ts";
import type { RunEvent } from "../ports/run-event.ts";
import type { Store } from "../ports/store.ts";
import type { StreamFilter } from "./stream-filter.ts";

/** What may wait to be sent; a row is 1 KB, so with the page that is read next it stays below 1 MB. */
const maxBufferedBytes = 512 * 1024;
const pageRows = 200;
const closingMs = 500;
/** A reader of what happens now who is further behind than this hears that there was more, not what it was. */
const maxBehind = 1_000;

/**
 * One reader of the stream. Rows come from the record, never from a queue of the reader's own: one who does not read
 * costs what its socket buffers. `{"row": …}` is a row; `{"gap": {"after", "before"}}` stands for rows between the two
 * sequence numbers that were left out because the reader was too slow, and can be read at /api/v1/events/after/{seq}.
 */
export class Reader {
  readonly #socket: WebSocket;
  readonly #store: Store;
  readonly #filter: StreamFilter;
  readonly #log: Log;
  /** The last row it has heard of, or that was not for it. */
  #seq = 0;
  /** Whether it has heard of everything there was when it came. */
  #isLive = false;
  #isReading = false;
  #hasAnswered = true;
  /** Resolves when what was sent last has left this process, or never will. */
  #lastSent: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, store: Store, filter: StreamFilter, log: Log, onClose: () => void) {
    this.#socket = socket;
    this.#store = store;
    this.#filter = filter;
    this.#log = log;
    socket.on("close", onClose);
    // Too large a frame, or what is none: the socket is closed by then.
    socket.on("error", () => socket.terminate());
    socket.on("pong", () => {
      this.#hasAnswered = true;
    });
  }

  start(): void {
    void this.#catchUp(async () => {
      this.#seq = this.#filter.afterSeq ?? (await this.#store.head()).seq;
      this.#isLive = this.#filter.afterSeq === null;
    });
  }

  /** A row that was just written. */
  tell(row: RunEvent): void {
    if (this.#isReading || row.seq <= this.#seq) return;
    if (row.seq === this.#seq + 1 && !this.#isFull) this.#send(row);
    else void this.#catchUp();
  }

  /** Asks whether it is still there; one that has not answered since the last time is not. */
  ping(): void {
    if (this.#hasAnswered) this.#socket.ping();
    else this.#socket.terminate();
    this.#hasAnswered = false;
  }

  /** Resolves when it is gone; one that does not answer is not waited for. */
  async close(code: number, reason: string): Promise<void> {
    if (this.#socket.readyState === this.#socket.CLOSED) return;
    const closed = once(this.#socket, "close");
    const timer = setTimeout(() => this.#socket.terminate(), closingMs);
    this.#socket.close(code, reason);
    await closed;
    clearTimeout(timer);
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount >= maxBufferedBytes;
  }

  /** Reads on from the record as fast as the reader takes it. */
  async #catchUp(begin: () => Promise<void> = async () => undefined): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await begin();
      while (this.#socket.readyState === this.#socket.OPEN) {
        if (this.#isFull) await this.#lastSent;
        await this.#leaveGap();
        const rows = await this.#store.readRunEvents(this.#seq, pageRows);
        if (rows.length === 0) break;
        for (const row of rows) this.#send(row);
      }
      this.#isLive = true;
    } catch (error) {
      this.#log.warn(`the stream ends: ${(error as Error).message}`, {});
      this.#socket.close(1011, "the record cannot be read");
    } finally {
      this.#isReading = false;
    }
  }

  async #leaveGap(): Promise<void> {
    if (!this.#isLive) return;
    const { seq } = await this.#store.head();
    if (seq - this.#seq <= maxBehind) return;
    this.#write({ gap: { after: this.#seq, before: seq + 1 } });
    this.#seq = seq;
  }

  #send(row: RunEvent): void {
    this.#seq = row.seq;
    if (this.#filter.matches(row)) this.#write({ row });
  }

  #write(message: object): void {
    this.#lastSent = new Promise((resolve) => {
      this.#socket.send(JSON.stringify(message), () => resolve());
    });
  }
}
