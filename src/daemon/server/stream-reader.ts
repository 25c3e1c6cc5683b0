import type { WebSocket } from "ws";
import type { Log } from "../../base/log.ts";
import type { RunEvent } from "../../record/port/run-event.ts";
import type { Store } from "../../store/port/store.ts";
import { SocketReader } from "./socket-reader.ts";
import type { StreamFilter } from "./stream-filter.ts";

const pageRows = 200;
/** A reader of what happens now who is further behind than this hears that there was more, not what it was. */
const maxBehind = 1_000;

/**
 * One reader of the stream. Rows come from the record, never from a queue of the reader's own: one who does not read
 * costs what its socket buffers. `{"row": …}` is a row; `{"gap": {"after", "before"}}` stands for rows between the two
 * sequence numbers that were left out because the reader was too slow, and can be read at /api/v1/events/after/{seq}.
 */
export class Reader extends SocketReader {
  readonly #store: Store;
  readonly #filter: StreamFilter;
  readonly #log: Log;
  /** The last row it has heard of, or that was not for it. */
  #seq = 0;
  /** Whether it has heard of everything there was when it came. */
  #isLive = false;
  #isReading = false;

  constructor(socket: WebSocket, store: Store, filter: StreamFilter, log: Log, onClose: () => void) {
    super(socket, onClose);
    this.#store = store;
    this.#filter = filter;
    this.#log = log;
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
    if (row.seq === this.#seq + 1 && !this.isFull) this.#send(row);
    else void this.#catchUp();
  }

  /** Reads on from the record as fast as the reader takes it. */
  async #catchUp(begin: () => Promise<void> = async () => undefined): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await begin();
      while (this.isOpen) {
        await this.room();
        await this.#leaveGap();
        const rows = await this.#store.readRunEvents(this.#seq, pageRows);
        if (rows.length === 0) break;
        for (const row of rows) this.#send(row);
      }
      this.#isLive = true;
    } catch (error) {
      this.#log.warn(`the stream ends: ${(error as Error).message}`, {});
      this.socket.close(1011, "the record cannot be read");
    } finally {
      this.#isReading = false;
    }
  }

  async #leaveGap(): Promise<void> {
    if (!this.#isLive) return;
    const { seq } = await this.#store.head();
    if (seq - this.#seq <= maxBehind) return;
    this.write({ gap: { after: this.#seq, before: seq + 1 } });
    this.#seq = seq;
  }

  #send(row: RunEvent): void {
    this.#seq = row.seq;
    if (this.#filter.matches(row)) this.write({ row });
  }
}
