import { host } from "./host.ts";

/** Where the engine says what a user should know but no caller is waiting for. */
export interface Log {
  warn(message: string, fields: Readonly<Record<string, unknown>>): unknown;
  /** What happened that is neither wrong nor of our own doing: what a server of tools has to say, for one. */
  info?(message: string, fields: Readonly<Record<string, unknown>>): unknown;
  /** Every invocation, when the user has asked for that. */
  debug?(message: string, fields: Readonly<Record<string, unknown>>): unknown;
}

/** Where programs warn: Node's own channel, which hosts can redirect with `process.on("warning")`, or the console. */
export const defaultLog: Log = {
  warn(message, fields) {
    const detail = JSON.stringify(fields);
    if (host?.emitWarning === undefined) console.warn(`SwarmHooksWarning: ${message}`, detail);
    else host.emitWarning(message, { type: "SwarmHooksWarning", detail });
  },
};
