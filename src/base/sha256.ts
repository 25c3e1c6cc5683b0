/** Loaded when first asked for: it takes 7 ms, and a hook call that only asks the daemon does without. */
const crypto = (): typeof import("node:crypto") => process.getBuiltinModule("node:crypto");

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const [whole] = parts;
  if (whole !== undefined && parts.length === 1) return crypto().hash("sha256", whole, "buffer");
  const hash = crypto().createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** HMAC (RFC 2104) with it. */
export function hmacSha256(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = crypto().createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
