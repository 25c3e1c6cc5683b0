/** Who may do what: a viewer looks, an operator decides and runs, an admin changes what is in force. */
export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

/** A worker does one task; a lead also says what becomes of tasks. Neither is a person. */
export const agentKinds = ["worker", "lead"] as const;
export type AgentKind = (typeof agentKinds)[number];

/** An agent's token is told from a person's by how it begins. */
export const agentTokenPrefix = "agt_";

export interface AgentIdentity {
  readonly agent_id: string;
  /** Of the tasks it works on; null: any. */
  readonly role: string | null;
  readonly kind: AgentKind;
}

/** A token as it is kept: what was given out cannot be had from it. */
export interface NamedToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 in hex. */
  readonly token_hash: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly revoked_at: string | null;
}

export interface TokenStore {
  /** By name, those that were revoked among them: a name is never given twice. */
  list(): Promise<NamedToken[]>;
}

/** Throws SWARM_TOKEN_TAKEN when there is or was one of this name. */
export interface TokenAdded {
  readonly kind: "token_added";
  readonly row: NamedToken;
}

/** Throws SWARM_TOKEN_UNKNOWN when there is none of this name in force. */
export interface TokenRevoked {
  readonly kind: "token_revoked";
  readonly name: string;
  readonly time: string;
}
