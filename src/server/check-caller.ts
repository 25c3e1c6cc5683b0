import { hash, timingSafeEqual } from "node:crypto";
import { SwarmError } from "../base/errors.ts";

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
  readonly #tokenHash: Buffer | null;

  private constructor(hosts: readonly string[], token: string | null) {
    this.#hosts = new Set(hosts);
    this.#origins = new Set(token === null ? [] : hosts.map((host) => `http://${host}`));
    this.#tokenHash = token === null ? null : digest(token);
  }

  static tcp(port: number, token: string): Gate {
    return new Gate([`127.0.0.1:${port}`, `localhost:${port}`], token);
  }

  /** The socket's file mode is its token; no browser can reach it, so whoever names an origin is not what it seems. */
  static socket(): Gate {
    return new Gate(["localhost"], null);
  }

  check({ host, origin, authorization }: Caller, isOpen: boolean): void {
    if (host === undefined || !this.#hosts.has(host))
      throw new SwarmError("SWARM_HOST_REFUSED", { host, expected: [...this.#hosts].join(" or ") });
    if (origin !== undefined && !this.#origins.has(origin))
      throw new SwarmError("SWARM_ORIGIN_REFUSED", { origin });
    if (this.#tokenHash === null || isOpen) return;
    const given = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
    // Hashes have one length: comparing the texts would tell how much of a guess was right.
    if (given === undefined || !timingSafeEqual(digest(given), this.#tokenHash))
      throw new SwarmError("SWARM_TOKEN_REFUSED", {
        given: given === undefined ? "no token" : "a wrong token",
      });
  }
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
