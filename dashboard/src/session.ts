import type { Role } from "../../src/daemon/access/port/token-store.ts";

/** The half of a session the page keeps, and whose it is; the other half is a cookie it cannot read. */
export interface Session {
  readonly key: string;
  readonly name: string;
  readonly role: Role;
  readonly expires_at: string;
}

const place = "swarm.session";

/** Null when there is none, or what is kept is none. */
export function keptSession(storage: Storage): Session | null {
  try {
    const kept = JSON.parse(storage.getItem(place) ?? "null") as Session | null;
    return typeof kept?.key === "string" ? kept : null;
  } catch {
    return null;
  }
}

export function keepSession(storage: Storage, session: Session): void {
  storage.setItem(place, JSON.stringify(session));
}

export function forgetSession(storage: Storage): void {
  storage.removeItem(place);
}

/** The code of a login link; null when the address is none. */
export function codeOfLink(hash: string): string | null {
  return /^#login=([\w-]+)$/.exec(hash)?.[1] ?? null;
}
