import { SwarmError } from "../../base/errors.ts";
import type { InboundChange, InboundStore } from "../../operations/webhooks/port/inbound-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteInbound implements InboundStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Within the transaction of the row that tells of it. */
  apply({ source, id, receivedAtMs }: InboundChange): void {
    const isNew = this.#file.run("insert-inbound-message", source, id, receivedAtMs) === 1;
    if (!isNew) throw new SwarmError("SWARM_INBOUND_REPLAYED", { source, id });
  }

  async isKnown(source: string, id: string): Promise<boolean> {
    return this.#file.one("find-inbound-message", source, id) !== null;
  }

  async expire(receivedBeforeMs: number): Promise<number> {
    return this.#file.run("expire-inbound-messages", receivedBeforeMs);
  }
}
