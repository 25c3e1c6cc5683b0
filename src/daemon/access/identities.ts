import { hash, randomBytes } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { AgentIdentity, Role, TokenStore } from "./port/token-store.ts";
import { sessionToken } from "./session-cookie.ts";

/** Who a caller is. */
export interface Identity {
  readonly name: string;
  readonly role: Role;
  /** Given for an agent of the swarm: what it may do depends on this, whatever its role. */
  readonly agent?: AgentIdentity;
}

/** What a browser is let in with, in two halves. */
export interface Session extends Identity {
  readonly cookie: string;
  readonly key: string;
  readonly expires_at: string;
}

/** Long enough to copy it from a terminal into a browser. */
const linkMs = 5 * 60_000;
/** A working day. Sessions are in memory: a restart of the daemon ends them, too. */
export const sessionMs = 12 * 3_600_000;

interface Expiring extends Identity {
  readonly untilMs: number;
}

/** The tokens that open the port, whom each stands for, and the links that make one for a browser. */
export class Identities {
  readonly #tokens: TokenStore;
  readonly #clock: Clock;
  /** By hash: looking one up tells nothing of how much of a guess was right. */
  #named = new Map<string, Identity>();
  readonly #sessions = new Map<string, Expiring>();
  readonly #links = new Map<string, Expiring>();
  readonly #listeners = new Set<() => void>();
  readonly #owner: { readonly identity: Identity; readonly hash: string };

  readonly #agentOf: (tokenHash: string) => AgentIdentity | null;

  constructor(
    tokens: TokenStore,
    clock: Clock,
    owner: string,
    token: string,
    agentOf: (tokenHash: string) => AgentIdentity | null = () => null,
  ) {
    this.#agentOf = agentOf;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#owner = { identity: { name: owner, role: "admin" }, hash: hashOf(token) };
  }

  /** Whoever owns this `SWARM_HOME`. */
  get owner(): Identity {
    return this.#owner.identity;
  }

  /** Calls the listener whenever somebody may have lost what they had. */
  onReloaded(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Takes the named tokens as they are in the store now. */
  async reload(): Promise<void> {
    const inForce = (await this.#tokens.list()).filter(({ revoked_at }) => revoked_at === null);
    this.#named = new Map(inForce.map(({ name, role, token_hash }) => [token_hash, { name, role }]));
    // A session is of the token's name: it ends with it.
    const names = new Set([this.owner.name, ...inForce.map(({ name }) => name)]);
    for (const [key, { name }] of this.#sessions) if (!names.has(name)) this.#sessions.delete(key);
    for (const [key, { name }] of this.#links) if (!names.has(name)) this.#links.delete(key);
    for (const listener of this.#listeners) listener();
  }

  /** Null: nobody. */
  find(token: string): Identity | null {
    const key = hashOf(token);
    if (key === this.#owner.hash) return this.owner;
    return this.#named.get(key) ?? this.#current(this.#sessions, key) ?? this.#agent(key);
  }

  /** A code that makes one session, once. Its role is at most that of whom it is made for. */
  makeLink({ name, role }: Identity): { readonly code: string; readonly expires_at: string } {
    const code = randomBytes(24).toString("base64url");
    const untilMs = this.#clock.now() + linkMs;
    this.#forgetOld(this.#links);
    this.#links.set(hashOf(code), { name, role, untilMs });
    return { code, expires_at: new Date(untilMs).toISOString() };
  }

  redeem(code: string): Session {
    const link = hashOf(code);
    const found = this.#current(this.#links, link);
    this.#links.delete(link);
    if (found === null) throw new SwarmError("SWARM_LOGIN_REFUSED", {});
    const [cookie, key] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
    const untilMs = this.#clock.now() + sessionMs;
    this.#forgetOld(this.#sessions);
    this.#sessions.set(hashOf(sessionToken(cookie, key)), { ...found, untilMs });
    return { cookie, key, name: found.name, role: found.role, expires_at: new Date(untilMs).toISOString() };
  }

  /** Ends the session the caller came with; false when it was none. */
  end(caller: Identity): boolean {
    for (const [key, session] of this.#sessions) if (session === caller) return this.#sessions.delete(key);
    return false;
  }

  /** An agent has no role of a person's: what it may do depends on its kind. */
  #agent(key: string): Identity | null {
    const agent = this.#agentOf(key);
    return agent === null ? null : { name: agent.agent_id, role: "viewer", agent };
  }

  #current(from: ReadonlyMap<string, Expiring>, key: string): Expiring | null {
    const found = from.get(key);
    return found !== undefined && found.untilMs > this.#clock.now() ? found : null;
  }

  #forgetOld(from: Map<string, Expiring>): void {
    const now = this.#clock.now();
    for (const [key, { untilMs }] of from) if (untilMs <= now) from.delete(key);
  }
}

export function hashOf(token: string): string {
  return hash("sha256", token, "hex");
}
