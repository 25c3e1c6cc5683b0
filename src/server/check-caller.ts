import { SwarmError } from "../base/errors.ts";
import type { Identity } from "./identities.ts";

/** What a request says of where it comes from. */
export interface Caller {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

/**
 * Who may call. A web page can reach 127.0.0.1 from any browser on this machine: under a name of its own that
 * resolves here (then Host is that name), or across origins (then Origin is the page's). The token keeps out what
 * can leave either away.
 */
export class Gate {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #identify: (token: string | undefined) => Identity | null;

  private constructor(
    hosts: readonly string[],
    origins: readonly string[],
    identify: (token: string | undefined) => Identity | null,
  ) {
    this.#hosts = new Set(hosts);
    this.#origins = new Set(origins);
    this.#identify = identify;
  }

  static tcp(port: number, find: (token: string) => Identity | null): Gate {
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    const origins = hosts.map((host) => `http://${host}`);
    return new Gate(hosts, origins, (token) => (token === undefined ? null : find(token)));
  }

  /** The socket's file mode is its token; no browser can reach it, so whoever names an origin is not what it seems. */
  static socket(owner: Identity): Gate {
    return new Gate(["localhost"], [], () => owner);
  }

  /** Null where nobody in particular may call. */
  check({ host, origin, authorization }: Caller, isOpen: boolean): Identity | null {
    if (host === undefined || !this.#hosts.has(host))
      throw new SwarmError("SWARM_HOST_REFUSED", { host, expected: [...this.#hosts].join(" or ") });
    if (origin !== undefined && !this.#origins.has(origin))
      throw new SwarmError("SWARM_ORIGIN_REFUSED", { origin });
    const given = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
    const identity = this.#identify(given);
    if (identity === null && !isOpen)
      throw new SwarmError("SWARM_TOKEN_REFUSED", {
        given: given === undefined ? "no token" : "a wrong token",
      });
    return identity;
  }
}
