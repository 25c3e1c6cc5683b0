import { SwarmError } from "../../base/errors.ts";
import type { Identity } from "./identities.ts";
import { agentTokenPrefix } from "./port/token-store.ts";
import { cookieName, cookieValues, sessionToken } from "./session-cookie.ts";

/** What a request says of where it comes from. */
export interface Caller {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** The two halves of a browser's session: the header with all cookies, and the page's key. */
  readonly cookie: string | undefined;
  readonly key: string | undefined;
}

/**
 * Who may call. A web page can reach 127.0.0.1 from any browser on this machine: under a name of its own that
 * resolves here (then Host is that name), or across origins (then Origin is the page's). The token keeps out what
 * can leave either away.
 */
export class Gate {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #identify: (caller: Caller) => Identity | null;

  private constructor(
    hosts: readonly string[],
    origins: readonly string[],
    identify: (caller: Caller) => Identity | null,
  ) {
    this.#hosts = new Set(hosts);
    this.#origins = new Set(origins);
    this.#identify = identify;
  }

  static tcp(port: number, find: (token: string) => Identity | null): Gate {
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    const origins = hosts.map((host) => `http://${host}`);
    const cookie = cookieName(`http://127.0.0.1:${port}`);
    return new Gate(hosts, origins, (caller) => {
      for (const token of tokensOf(caller, cookie)) {
        const found = find(token);
        if (found !== null) return found;
      }
      return null;
    });
  }

  /** The socket's file mode is its token; no browser can reach it, so whoever names an origin is not what it seems. */
  static socket(owner: Identity, find: (token: string) => Identity | null = () => null): Gate {
    return new Gate(["localhost"], [], ({ authorization }) => {
      const [token] = authorization === undefined ? [] : bearerOf(authorization);
      // An agent's commands are the agent's, also when it runs no more and nobody knows its token.
      return token?.startsWith(agentTokenPrefix) === true ? find(token) : owner;
    });
  }

  /** Null where nobody in particular may call. */
  check(caller: Caller, isOpen: boolean): Identity | null {
    const { host, origin } = caller;
    if (host === undefined || !this.#hosts.has(host))
      throw new SwarmError("SWARM_HOST_REFUSED", { host, expected: [...this.#hosts].join(" or ") });
    if (origin !== undefined && !this.#origins.has(origin))
      throw new SwarmError("SWARM_ORIGIN_REFUSED", { origin });
    const identity = this.#identify(caller);
    if (identity === null && !isOpen) throw new SwarmError("SWARM_TOKEN_REFUSED", { given: givenBy(caller) });
    return identity;
  }
}

/** Whoever names a token is known by it alone. */
function tokensOf({ authorization, cookie, key }: Caller, cookieName: string): string[] {
  if (authorization !== undefined) return bearerOf(authorization);
  if (key === undefined) return [];
  return cookieValues(cookie, cookieName).map((value) => sessionToken(value, key));
}

function bearerOf(authorization: string): string[] {
  const given = /^Bearer (\S+)$/.exec(authorization)?.[1];
  return given === undefined ? [] : [given];
}

function givenBy({ authorization, key }: Caller): string {
  if (authorization === undefined) return key === undefined ? "no token" : "a session that is over";
  return bearerOf(authorization).length === 0 ? "no token" : "a wrong token";
}
