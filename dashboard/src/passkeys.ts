import {
  changeText,
  type DecisionMessage,
  decisionText,
  enrolmentText,
  passkeyDomain,
  subjectToSign,
} from "../../src/policy/approvers/message.ts";
import type { ResultOf } from "./api.ts";

type Approval = ResultOf<"showApproval">;
type Approvers = ResultOf<"listApprovers">;
type Key = Approvers["keys"][number];
type Waiting = Approvers["waiting"][number];

/** As long as one has to find the device, and shorter than the daemon takes a signature for a recent one. */
const timeout = 120_000;

/** ES256, EdDSA and RS256: what authenticators have. */
const algorithms = [-7, -8, -257];

/** Has the person approve one call. What the signature covers is made of what the page has shown. */
export async function signDecision(
  { id, intent_id, digest, subject }: Approval,
  comment: string | null,
  key: Key,
  ttlS: number,
) {
  const nowMs = Date.now();
  const message: DecisionMessage = {
    approval_id: id,
    challenge: intent_id,
    digest,
    subject_sha256: hexOf(await sha256(subjectToSign(subject))),
    decision: "approved",
    comment,
    decided_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + ttlS * 1_000).toISOString(),
    key_id: key.id,
  };
  const { decided_at, expires_at } = message;
  return { ...(await sign(decisionText(message), key)), decided_at, expires_at };
}

/** The same for a change of the approvers. */
export async function signChange({ change, revision }: Waiting, key: Key) {
  const decided_at = new Date().toISOString();
  return {
    decided_at,
    signature: await sign(changeText({ revision, change, decided_at, key_id: key.id }), key),
  };
}

/** A new passkey for this name, as JSON. It counts once a key there is has signed it. */
export async function makePasskey(name: string, { revision, keys }: Approvers) {
  const made = (await navigator.credentials.create({
    publicKey: {
      rp: { id: passkeyDomain, name: "swarm-hooks" },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
      challenge: await sha256(enrolmentText(revision, name)),
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: { userVerification: "required", residentKey: "preferred" },
      excludeCredentials: keys.filter(({ kind }) => kind === "passkey").map(descriptorOf),
      attestation: "none",
      timeout,
    },
  })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  const response = {
    clientDataJSON: base64url(clientDataJSON),
    attestationObject: base64url(attestationObject),
  };
  return { id: made.id, rawId: made.id, type: made.type, clientExtensionResults: {}, response };
}

async function sign(text: string, key: Key) {
  const given = (await navigator.credentials.get({
    publicKey: {
      rpId: passkeyDomain,
      challenge: await sha256(text),
      allowCredentials: [descriptorOf(key)],
      userVerification: "required",
      timeout,
    },
  })) as PublicKeyCredential;
  const { signature, authenticatorData, clientDataJSON } = given.response as AuthenticatorAssertionResponse;
  return {
    key_id: key.id,
    signature: base64url(signature),
    authenticator_data: base64url(authenticatorData),
    client_data: base64url(clientDataJSON),
  };
}

function descriptorOf({ credential_id }: Key): PublicKeyCredentialDescriptor {
  const plain = atob((credential_id ?? "").replaceAll("-", "+").replaceAll("_", "/"));
  return { type: "public-key", id: Uint8Array.from(plain, (letter) => letter.charCodeAt(0)) };
}

function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function base64url(bytes: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
