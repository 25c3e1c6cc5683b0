import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** Headers that tell who sent a message, when and what, after https://www.standardwebhooks.com. */
export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** After `whsec_` comes base64; any other secret is its own bytes. */
export function signingKey(secret: string): KeyObject {
  const isEncoded = secret.startsWith(prefix);
  return createSecretKey(
    isEncoded ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret),
  );
}

/** What is wrong with a secret, in words that follow "expected"; null when nothing is. */
export function secretProblem(secret: string): string | null {
  if (!secret.startsWith(prefix)) return secret === "" ? "a text that is not empty" : null;
  // Buffer takes whatever it finds: with a character of another alphabet both sides would hold different keys.
  return /^[A-Za-z0-9+/]+={0,2}$/.test(secret.slice(prefix.length)) ? null : "base64 after whsec_";
}

/** One signature for each key: a receiver that has only one of them can still check it. */
export function sign(keys: readonly KeyObject[], id: string, nowMs: number, body: string): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = keys.map((key) => `v1,${signatureOf(key, id, timestamp, body)}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function signatureOf(key: KeyObject, id: string, timestamp: string, body: string): string {
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
}

const prefix = "whsec_";
