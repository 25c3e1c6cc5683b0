import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { show } from "../base/show.ts";

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

/** The keys of a secret and of the one before it, while both are in use. */
export function signingKeys(...secrets: readonly (string | null)[]): KeyObject[] {
  return secrets.flatMap((secret) => (secret === null ? [] : signingKey(secret)));
}

/** What is wrong with a secret, in words that follow "expected"; null when nothing is. */
export function secretProblem(secret: string): string | null {
  if (!secret.startsWith(prefix)) return secret === "" ? "a text that is not empty" : null;
  // Buffer takes whatever it finds: with a character of another alphabet both sides would hold different keys, and of a
  // character that is left over nothing is read: alone, it would be a key of no bytes, which everybody has.
  const [digits = ""] = /^[A-Za-z0-9+/]+(?=={0,2}$)/.exec(secret.slice(prefix.length)) ?? [];
  return digits !== "" && digits.length % 4 !== 1 ? null : "base64 after whsec_";
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

const signedHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** How far the clocks of two machines, and the way between them, may put a message off. */
export const toleranceS = 300;

/**
 * Why a message is not to be believed; null when it is from somebody who has one of the keys, and of now. Whether it
 * came before is for others to know.
 */
export function whyDisbelieved(
  keys: readonly KeyObject[],
  headers: { readonly [name in keyof SignedHeaders]: string | undefined },
  body: string,
  nowMs: number,
): string | null {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !timestamp || !signatures) {
    const missing = signedHeaders.filter((name) => !headers[name]);
    return `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`;
  }
  // The parts are put together with dots: with one in the id, another message would have the same signature.
  if (!/^[\w-]{1,128}$/.test(id))
    return `webhook-id is ${show(id)}, expected letters, digits, _ and -, at most 128 of them`;
  if (!/^\d{1,12}$/.test(timestamp)) return `webhook-timestamp is ${show(timestamp)}, expected Unix seconds`;
  const ageS = nowMs / 1000 - Number(timestamp);
  if (Math.abs(ageS) > toleranceS) {
    const off = `${Math.ceil(Math.abs(ageS))} s ${ageS > 0 ? "behind" : "ahead of"} the time here`;
    return `webhook-timestamp is ${timestamp}, ${off}, expected at most ${toleranceS} s`;
  }
  const given = signatures
    .split(" ", maxSignatures)
    .flatMap((one) => (one.startsWith("v1,") ? [one.slice(3)] : []));
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, id, timestamp, body));
    return given.some((text) => isSame(Buffer.from(text), expected));
  });
  return isSigned ? null : "no signature fits the body and the secret here";
}

/** Each is compared: with thousands of them in one header a stranger would keep us busy. */
const maxSignatures = 10;

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function signatureOf(key: KeyObject, id: string, timestamp: string, body: string): string {
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
}

const prefix = "whsec_";
