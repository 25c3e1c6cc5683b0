import { SwarmError } from "../../base/errors.ts";
import type { InboundChange, InboundStore } from "../../operations/webhooks/port/inbound-store.ts";
import type { Statements } from "../sql/statement.ts";
import { inboundStatements } from "../sql/webhooks.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteInbound implements InboundStore {
  readonly #sql: Statements<typeof inboundStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(inboundStatements);
  }

  /** Within the transaction of the row that tells of it. */
  apply({ source, id, receivedAtMs }: InboundChange): void {
    const isNew = this.#sql.insert.run({ source, id, received_at_ms: receivedAtMs }) === 1;
    if (!isNew) throw new SwarmError("SWARM_INBOUND_REPLAYED", { source, id });
  }

  async isKnown(source: string, id: string): Promise<boolean> {
    return this.#sql.find.one({ source, id }) !== null;
  }

  async expire(receivedBeforeMs: number): Promise<number> {
    return this.#sql.expire.run({ received_before_ms: receivedBeforeMs });
  }
}
