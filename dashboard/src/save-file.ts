import { h } from "./dom.ts";

/** A browser has begun to read it long before. */
const heldMs = 60_000;

/**
 * Has the browser save a file. It is never opened here: what is in it is not ours, and as bytes of no type it is nothing
 * a browser would show.
 */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), heldMs);
}

/** The name the server has it saved by. */
export function savedName(disposition: string | null): string {
  return /filename="([\w.-]+)"/.exec(disposition ?? "")?.[1] ?? "download";
}
