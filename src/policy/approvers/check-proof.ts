import { createPublicKey, verify } from "node:crypto";
import type { ApproverKey, Proof } from "./message.ts";
import { keyIdOf } from "./sign.ts";

/** Why a signature is not one of this key over this text; null when it is. */
export async function proofProblem(key: ApproverKey, text: string, proof: Proof): Promise<string | null> {
  if (proof.key_id !== key.id || keyIdOf(key.kind, key.public_key) !== key.id)
    return "it names another key than the one it was made with";
  if (key.kind === "passkey") {
    const { passkeyProblem } = await import("./passkey.ts");
    return passkeyProblem(key, text, proof);
  }
  return isSigned(key, text, proof) ? null : "the signature does not fit what was decided";
}

function isSigned({ public_key }: ApproverKey, text: string, { signature }: Proof): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(public_key, "base64url"), type: "spki", format: "der" });
    // Of another type it would be checked by another algorithm than the one it was registered for.
    if (key.asymmetricKeyType !== "ed25519") return false;
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}
