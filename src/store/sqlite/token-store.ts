import { SwarmError } from "../../base/errors.ts";
import type {
  NamedToken,
  TokenAdded,
  TokenRevoked,
  TokenStore,
} from "../../daemon/access/port/token-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqliteTokenStore implements TokenStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async list(): Promise<NamedToken[]> {
    return this.#file.all<NamedToken>("list-tokens");
  }

  add({ row }: TokenAdded): void {
    const { name, role, token_hash, created_at, created_by } = row;
    const added = this.#file.run("add-token", name, role, token_hash, created_at, created_by);
    if (added === 0) throw new SwarmError("SWARM_TOKEN_TAKEN", { name });
  }

  revoke({ name, time }: TokenRevoked): void {
    if (this.#file.run("revoke-token", time, name) === 0)
      throw new SwarmError("SWARM_TOKEN_UNKNOWN", { name });
  }
}
