/** What every id on every surface looks like; anything else is refused before it reaches a file name or a query. */
export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * `evt_` + 9 characters of time + 20 of randomness: ids sort by the millisecond they were made in, and 80 random
 * bits keep those of one millisecond apart.
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  if (used >= random.length) {
    random = randomDigits(idsAtOnce * idDigits);
    used = 0;
  }
  const from = used;
  used += idDigits;
  return `${prefix}_${nowMs.toString(36).padStart(9, "0")}${random.slice(from, used)}`;
}

const idDigits = 20;
const idsAtOnce = 400;
/** Digits for the next ids, and how many of them are used: 0.1 µs where asking for each takes 10 to 40. */
let random = "";
let used = 0;

function randomDigits(count: number): string {
  const digits = crypto.getRandomValues(new Uint8Array(count));
  // Half of each byte, which is as random. 20 µs; as a text that is put together of 4,000 pairs 60, of single codes 400.
  for (let at = 0; at < count; at++) digits[at] = hexDigits[(digits[at] ?? 0) & 15] ?? 0;
  return new TextDecoder().decode(digits);
}

const hexDigits = new TextEncoder().encode("0123456789abcdef");
