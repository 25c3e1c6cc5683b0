import { sha256ByCode } from "./sha256-by-code.ts";

/**
 * As many as one call of an agent's has to make, and some. `node:crypto` takes 7 ms to load, a tenth of a call without a daemon,
 * where 1.3 ms are enough for all its hashes; whoever makes more of them lives longer, and Node's are faster.
 */
const fewHashes = 16;
let made = 0;

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  return (made++ < fewHashes ? sha256ByCode(parts) : null) ?? byNode(parts);
}

const blockBytes = 64;

/** HMAC (RFC 2104) with it. */
export function hmacSha256(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? sha256(key) : key);
  const masked = (mask: number) => block.map((byte) => byte ^ mask);
  return sha256(masked(0x5c), sha256(masked(0x36), ...parts));
}

function byNode(parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
