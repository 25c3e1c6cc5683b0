import { SwarmError } from "../../base/errors.ts";
import type { InboundChange, InboundStore } from "../../operations/webhooks/port/inbound-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import { inboundStatements } from "../sql/webhooks.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteInbound implements InboundStore {
  readonly changes: ChangeWriters<InboundChange> = {
    inbound_message: ({ source, id, receivedAtMs }) => {
      if (this.#sql.insert.run({ source, id, received_at_ms: receivedAtMs }) === 0)
        throw new SwarmError("SWARM_INBOUND_REPLAYED", { source, id });
    },
  };
  readonly #sql: Statements<typeof inboundStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(inboundStatements);
  }

  async isKnown(source: string, id: string): Promise<boolean> {
    return this.#sql.find.one({ source, id }) !== null;
  }

  async expire(receivedBeforeMs: number): Promise<number> {
    return this.#sql.expire.run({ received_before_ms: receivedBeforeMs });
  }
}
