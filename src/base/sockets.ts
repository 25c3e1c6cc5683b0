import { join } from "node:path";

/** The daemon's sockets: `api` speaks HTTP, `hook` the few bytes agents' hooks exchange. */
export function socketPath(home: string, which: "api" | "hook"): string {
  return join(home, which === "api" ? "swarm.sock" : "hook.sock");
}
