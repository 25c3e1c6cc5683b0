/** Where the engine says what a user should know but no caller is waiting for. */
export interface Log {
  warn(message: string, fields: Readonly<Record<string, unknown>>): unknown;
  /** What happened that is neither wrong nor of our own doing: what a server of tools has to say, for one. */
  info?(message: string, fields: Readonly<Record<string, unknown>>): unknown;
  /** Every invocation, when the user has asked for that. */
  debug?(message: string, fields: Readonly<Record<string, unknown>>): unknown;
}

/** Node's own warning channel: stderr by default, and hosts can redirect it with `process.on("warning")`. */
export const processLog: Log = {
  warn(message, fields) {
    process.emitWarning(message, { type: "SwarmHooksWarning", detail: JSON.stringify(fields) });
  },
};
