import { oneLine } from "../../base/show.ts";

const maxChars = 500;

/**
 * What an error says, or better what caused it: "fetch failed" explains nothing, the refused connection below it does.
 * An answer of HTTP is its status, not the page that came with it.
 */
export function inWords(error: unknown): string {
  let found = error;
  for (let depth = 0; depth < 5 && found instanceof Error; depth++) {
    const status = statusOf(found);
    if (status !== null) return oneLine(status, maxChars);
    const [first] = found instanceof AggregateError ? found.errors : [found.cause];
    if (!(first instanceof Error)) break;
    found = first;
  }
  const text = found instanceof Error ? found.message || found.name : String(found);
  return oneLine(text, maxChars);
}

function statusOf(error: Error): string | null {
  const { data } = error as { data?: { status?: unknown; statusText?: unknown } };
  if (typeof data?.status !== "number") return null;
  return `HTTP ${data.status}${typeof data.statusText === "string" ? ` ${data.statusText}` : ""}`.trim();
}
