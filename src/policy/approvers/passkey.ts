import { hash } from "node:crypto";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { type ApproverKey, enrolmentText, type Proof, passkeyDomain } from "./message.ts";
import { keyIdOf } from "./sign.ts";

/** The library takes 200 ms to load: only who has a passkey waits for it. */
const library = () => import("@simplewebauthn/server");

/** What a browser gives a passkey to sign: the hash of the text, which says it all. */
export function challengeOf(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Why an assertion is not one of this passkey over this text; null when it is. */
export async function passkeyProblem(key: ApproverKey, text: string, proof: Proof): Promise<string | null> {
  const origin = originOf(proof);
  if (origin === null) return "it was not made on a page of this machine";
  const { verifyAuthenticationResponse } = await library();
  const id = key.credential_id ?? "";
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          authenticatorData: proof.authenticator_data ?? "",
          clientDataJSON: proof.client_data ?? "",
          signature: proof.signature,
        },
      },
      expectedChallenge: challengeOf(text),
      expectedOrigin: origin,
      expectedRPID: passkeyDomain,
      // The counter says nothing when the same assertion is checked again, at its use and by whoever verifies the record.
      credential: { id, publicKey: bytesOf(key.public_key), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? null : "the passkey's signature does not fit what was decided";
  } catch (error) {
    return `the passkey's answer does not fit what was decided: ${(error as Error).message}`;
  }
}

/** The page an assertion was made on; null when that is none a daemon of this machine may have. */
export function originOf({ client_data }: Proof): string | null {
  try {
    const { origin } = JSON.parse(Buffer.from(client_data ?? "", "base64url").toString()) as {
      origin?: unknown;
    };
    return typeof origin === "string" && /^http:\/\/localhost(?::\d{1,5})?$/.test(origin) ? origin : null;
  } catch {
    return null;
  }
}

/** The counter an authenticator has put into its assertion; most passkeys always say 0. */
export function counterOf({ authenticator_data }: Proof): number {
  const bytes = Buffer.from(authenticator_data ?? "", "base64url");
  return bytes.length < 37 ? 0 : bytes.readUInt32BE(33);
}

/** The key of a passkey that was just made on the page at `origin`; a text says why it is none. */
export async function readEnrolment(
  response: unknown,
  name: string,
  revision: number,
  origin: string,
): Promise<ApproverKey | string> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challengeOf(enrolmentText(revision, name)),
      expectedOrigin: origin,
      expectedRPID: passkeyDomain,
      requireUserVerification: true,
    });
    if (!verified) return "the browser's answer does not verify";
    const { id: credentialId, publicKey } = registrationInfo.credential;
    const cose = Buffer.from(publicKey).toString("base64url");
    return {
      id: keyIdOf("passkey", cose),
      name,
      kind: "passkey",
      public_key: cose,
      credential_id: credentialId,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

/** A copy with a buffer of its own, as the library's types ask for. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}
