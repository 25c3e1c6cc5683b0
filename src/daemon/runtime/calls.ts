import type { HandlerFunction } from "../../engine/hooks/handler.ts";

/** The calls of handlers that are under way, so that all of them can be ended at once. */
export class Calls {
  readonly #open = new Set<AbortController>();
  #reason: Error | null = null;

  /** Why every call fails by now; null as long as none has to. */
  get reason(): Error | null {
    return this.#reason;
  }

  /** The same handler, until calls are cut off: then it is told to give up, or not called any more. */
  around(handler: HandlerFunction): HandlerFunction {
    return async (data, call) => {
      if (this.#reason !== null) throw this.#reason;
      const { event, id, origin, decision, signal: given } = call;
      const controller = new AbortController();
      given.addEventListener("abort", () => controller.abort(given.reason), { once: true });
      this.#open.add(controller);
      try {
        const envelope = (payload: unknown) => call.envelope(payload);
        return await handler(data, { event, id, origin, decision, signal: controller.signal, envelope });
      } finally {
        this.#open.delete(controller);
      }
    };
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    for (const controller of this.#open) controller.abort(reason);
  }
}
