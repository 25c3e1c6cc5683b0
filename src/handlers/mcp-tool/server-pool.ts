import { limits } from "../../base/limits.ts";
import type { Sandbox } from "../process/sandbox.ts";
import type { ServerOptions, ServerSpec } from "./server-spec.ts";
import { ToolServer } from "./tool-server.ts";

/** A server somebody may call until it is given back. */
export interface ServerLease {
  readonly server: ToolServer;
  release(): void;
}

/** The servers of one runtime: one for all hooks and projects that say the same of it, ended when the last is gone. */
export class ServerPool {
  readonly #options: ServerOptions;
  readonly #shared = new Map<string, { readonly server: ToolServer; leases: number }>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Nothing is started by this: the first call does that. */
  lease(spec: ServerSpec, sandbox: Sandbox): ServerLease {
    const { name, transport } = spec;
    const key = JSON.stringify([name, transport, sandbox]);
    const shared = this.#shared.get(key) ?? {
      server: new ToolServer(spec, { ...this.#options, sandbox }),
      leases: 0,
    };
    this.#shared.set(key, shared);
    shared.leases++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      if (--shared.leases > 0) return;
      this.#shared.delete(key);
      this.#end(shared.server);
    };
    return { server: shared.server, release };
  }

  /** The names of a server's tools; for that it is started, or connected to, unless it is already. */
  async toolsOf(spec: ServerSpec, sandbox: Sandbox): Promise<string[]> {
    const lease = this.lease(spec, sandbox);
    try {
      return [...(await lease.server.tools(AbortSignal.timeout(limits.timeoutMs))).keys()];
    } finally {
      lease.release();
    }
  }

  /** Ends every server at once; whoever waits for an answer of one hears that there is none. */
  abort(): void {
    for (const { server } of this.#shared.values()) this.#end(server);
  }

  /** Resolves when none is left. */
  async close(): Promise<void> {
    this.abort();
    while (this.#closing.size > 0) await Promise.all(this.#closing);
  }

  #end(server: ToolServer): void {
    const closing = server.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
