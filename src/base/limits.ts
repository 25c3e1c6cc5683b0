/** Every bound the engine puts on what comes from outside, in one place. */
export const limits = {
  /** A payload or a rewritten field, as a lower bound of its JSON text. Agents' largest file writes are near 2 MB. */
  payloadChars: 8 * 1024 * 1024,
  /** Nesting of a payload. `JSON.stringify` itself overflows the stack near 5,000. */
  payloadDepth: 200,
  /** One text given to a model, and all of one event's together. */
  contextChars: 20_000,
  contextCharsPerEvent: 50_000,
  /** A handler's deadline unless it sets its own, and the longest a timer can hold: a longer one fires at once. */
  timeoutMs: 30_000,
  maxTimeoutMs: 2_147_483_647,
  /** The same for a hook that calls a tool of a server. */
  toolTimeoutMs: 10_000,
  /** What a handler's error says about itself; the rest is cut off. */
  errorChars: 1_000,
  /** Plans kept per event and generation. Tool names come from the caller: without a bound they are a leak. */
  cachedPlans: 512,
  /** A longer name gets a plan too, but it is not kept. */
  cachedNameChars: 256,
  patternChars: 1_000,
  /** Observer calls waiting to run. At 1 µs a call a full queue is 10 ms of work. */
  queuedObservations: 10_000,
} as const;
