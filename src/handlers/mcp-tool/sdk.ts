/** The official client. Loading it takes 150 ms, so it is loaded by the first call of a tool and by nothing else. */
export type Sdk = typeof import("@modelcontextprotocol/client");

export function loadSdk(): Promise<Sdk> {
  return import("@modelcontextprotocol/client");
}
