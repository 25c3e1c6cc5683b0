import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from "node:crypto";
import type { ApproverKey, Proof } from "./message.ts";

/** A new Ed25519 key: its public half as others see it, and the private half as PKCS #8. */
export function makeKey(name: string): { readonly key: ApproverKey; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64url");
  return {
    key: {
      id: keyIdOf("passphrase", spki),
      name,
      kind: "passphrase",
      public_key: spki,
      credential_id: null,
    },
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }),
  };
}

/** The id says which key it is: another key under the same id would be another id. */
export function keyIdOf(kind: ApproverKey["kind"], publicKey: string): string {
  return `key_${hash("sha256", `${kind}\n${publicKey}`, "hex").slice(0, 32)}`;
}

export function signWith(privateKey: Buffer, keyId: string, text: string): Proof {
  const key = createPrivateKey({ key: privateKey, type: "pkcs8", format: "der" });
  return { key_id: keyId, signature: sign(null, Buffer.from(text), key).toString("base64url") };
}

/** Whether it is a public key of the kind that passphrases keep, written in the one way there is. */
export function isEd25519(spki: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(spki, "base64url"), type: "spki", format: "der" });
    const written = key.export({ type: "spki", format: "der" }).toString("base64url");
    return key.asymmetricKeyType === "ed25519" && written === spki;
  } catch {
    return false;
  }
}

/** The public half of a private key, as `ApproverKey.public_key` has it. */
export function publicKeyOf(privateKey: Buffer): string {
  const key = createPublicKey(createPrivateKey({ key: privateKey, type: "pkcs8", format: "der" }));
  return key.export({ type: "spki", format: "der" }).toString("base64url");
}
