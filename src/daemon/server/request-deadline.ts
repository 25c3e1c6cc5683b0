import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a request may take to come, whole. Node's own deadline holds for all requests of a server or none. */
const wholeMs = 10_000;
/** How long one that may take its time may be silent. */
const silentMs = 60_000;

const unhurried = new WeakSet<IncomingMessage>();

/** Ends a connection whose request is not whole in time. Only a body can be late: headers have a deadline of their own. */
export function hurry(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const timer = setTimeout(() => {
    if (!request.complete && !unhurried.has(request)) request.socket.destroy();
  }, wholeMs);
  timer.unref();
  const done = (): void => clearTimeout(timer);
  request.once("close", done);
  response.once("close", done);
}

/** Lets a request take as long as its bytes go on coming. */
export function unhurry(request: IncomingMessage): void {
  unhurried.add(request);
  request.setTimeout(silentMs, () => request.socket.destroy());
  // What is decided of it may take longer, and nothing is to be heard from the caller meanwhile.
  request.once("end", () => request.setTimeout(0));
}
