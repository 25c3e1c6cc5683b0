import { redact } from "../../base/redact.ts";
import { cut } from "../../base/show.ts";

/** How much of a text is looked at for secrets, beyond what is kept of it. */
const lookedAtChars = 1_000;

/**
 * The beginning of a text, with its secrets replaced. It is a copy: a part that is cut out of a string keeps the whole
 * string in memory, and ten thousand findings must not hold ten thousand calls of 4 MB.
 */
export function shortText(text: string, maxChars: number): string {
  const looked = cut(text, maxChars + lookedAtChars);
  const safe = String(redact(looked));
  const short = cut(safe, maxChars);
  const isWhole = short.length === safe.length && looked.length === text.length;
  return Buffer.from(isWhole ? short : `${short}…`).toString("utf8");
}
