import { hmacSha256 } from "./sha256.ts";

/**
 * Shows that a text was written by somebody who has the secret (HMAC-SHA-256). `kind` names what is sealed: a seal made for
 * one purpose is worth nothing for another. `SigningKey.seal` makes the same one for processes that make many.
 */
export function sealOf(secret: Uint8Array, kind: string, text: string): string {
  return hmacSha256(secret, sealPrefix(kind), text).toString("base64url");
}

export function sealPrefix(kind: string): string {
  return `swarm-hooks ${kind} 1\n`;
}

/** Of the text of a seal: 256 bits as base64url. */
export const sealLength = 43;
