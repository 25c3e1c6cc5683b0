import { SwarmError } from "../../base/errors.ts";
import type {
  NamedToken,
  TokenAdded,
  TokenRevoked,
  TokenStore,
} from "../../daemon/access/port/token-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import { tokenStatements } from "../sql/tokens.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteTokenStore implements TokenStore {
  readonly changes: ChangeWriters<TokenAdded | TokenRevoked> = {
    token_added: ({ row }) => {
      if (this.#sql.add.run(row) === 0) throw new SwarmError("SWARM_TOKEN_TAKEN", { name: row.name });
    },
    token_revoked: ({ name, time }) => {
      if (this.#sql.revoke.run({ name, time }) === 0) throw new SwarmError("SWARM_TOKEN_UNKNOWN", { name });
    },
  };
  readonly #sql: Statements<typeof tokenStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(tokenStatements);
  }

  async list(): Promise<NamedToken[]> {
    return this.#sql.list.all<NamedToken>();
  }
}
