import type { WebSocket } from "ws";
import type { Log } from "../../base/log.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { describeBatch } from "./describe-batch.ts";
import { SocketReader } from "../../daemon/server/socket-reader.ts";

type Runs = Awaited<ReturnType<Runtime["batch"]["open"]>>;

/** How often a run is looked at that another process follows. */
const lookEveryMs = 500;

/**
 * One listener to a run's progress: `{"progress": …}`, as its status has it, when it comes and at each checkpoint, until
 * the run is over. Each message is of the moment it is sent: `{"gap": {"after", "before"}}` stands for checkpoints between
 * the two numbers that were left out because the listener was too slow.
 */
export class BatchReader extends SocketReader {
  readonly #runs: Runs;
  readonly #runId: string;
  readonly #log: Log;
  #leg = 0;
  #told = "";
  #checkpoint: number | null = null;

  constructor(socket: WebSocket, runs: Runs, runId: string, log: Log, onClose: () => void) {
    super(socket, onClose);
    this.#runs = runs;
    this.#runId = runId;
    this.#log = log;
  }

  start(): void {
    this.#tellAll().catch((error: Error) => {
      this.#log.warn(`the stream of batch run ${this.#runId} ends: ${error.message}`, {});
      this.socket.close(1011, "the run cannot be read");
    });
  }

  async #tellAll(): Promise<void> {
    while (this.isOpen) {
      // Listened to before it is looked at: what comes between is not missed.
      const next = this.#nextCheckpoint();
      const run = await this.#runs.find(this.#runId);
      const checkpoint = this.#runs.leg(this.#runId)?.checkpoints ?? null;
      if (run.leg === this.#leg) this.#leaveGap(checkpoint);
      this.#leg = run.leg;
      this.#checkpoint = checkpoint;
      this.#tell({ progress: { ...describeBatch(run), checkpoint } });
      if (run.state !== "running" && run.state !== "waiting_approval") {
        next.stop();
        return this.socket.close(1000, run.state);
      }
      await this.room();
      await next.came;
    }
  }

  #tell(message: object): void {
    const text = JSON.stringify(message);
    if (text !== this.#told) this.write(message);
    this.#told = text;
  }

  #leaveGap(checkpoint: number | null): void {
    if (checkpoint === null || this.#checkpoint === null || checkpoint <= this.#checkpoint + 1) return;
    this.write({ gap: { after: this.#checkpoint, before: checkpoint } });
  }

  #nextCheckpoint(): { readonly came: Promise<void>; stop(): void } {
    let stop = (): void => undefined;
    const came = new Promise<void>((resolve) => {
      const stopListening = this.#runs.leg(this.#runId)?.onProgress(resolve);
      const timer = setTimeout(resolve, lookEveryMs);
      this.socket.once("close", resolve);
      stop = () => {
        clearTimeout(timer);
        stopListening?.();
        this.socket.off("close", resolve);
      };
    });
    return { came: came.finally(() => stop()), stop };
  }
}
