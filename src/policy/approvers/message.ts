import { canonicalJson } from "../../base/canonical-json.ts";

/** What an approver signs when one call is let pass: everything the decision says, and the call it is for. */
export interface DecisionMessage {
  readonly approval_id: string;
  /** Random, made with the question: a signature for one question fits no other. */
  readonly challenge: string;
  /** SHA-256 of exactly what was asked. */
  readonly digest: string;
  /** SHA-256 of what the approver was shown. */
  readonly subject_sha256: string;
  readonly decision: "approved";
  readonly comment: string | null;
  readonly decided_at: string;
  readonly expires_at: string;
  readonly key_id: string;
}

/** One change of who may approve, or of whether a person has to. */
export type ApproverAction =
  | { readonly action: "add"; readonly key: ApproverKey }
  | { readonly action: "remove"; readonly key_id: string }
  | { readonly action: "require"; readonly require: "any" | "person" };

/** What an approver signs when the keys change. */
export interface ChangeMessage {
  /** How many changes there were before: a signature that was used fits no later one. */
  readonly revision: number;
  readonly change: ApproverAction;
  readonly decided_at: string;
  readonly key_id: string;
}

/** The public half of what an approver signs with. */
export interface ApproverKey {
  readonly id: string;
  readonly name: string;
  readonly kind: "passphrase" | "passkey";
  /** base64url: SPKI of an Ed25519 key, or COSE of a passkey's. */
  readonly public_key: string;
  /** Of a passkey, base64url; null for a passphrase key. */
  readonly credential_id: string | null;
}

/** A signature with whose it is; the two parts in the middle are those of a passkey. All three are base64url. */
export interface Proof {
  readonly key_id: string;
  readonly signature: string;
  readonly authenticator_data?: string | undefined;
  readonly client_data?: string | undefined;
}

/** The first line keeps a signature made for one purpose from meaning anything for another. */
export function decisionText(message: DecisionMessage): string {
  const {
    approval_id,
    challenge,
    digest,
    subject_sha256,
    decision,
    comment,
    decided_at,
    expires_at,
    key_id,
  } = message;
  const fields = [approval_id, challenge, digest, subject_sha256, decision, comment, decided_at, expires_at];
  return `swarm-hooks approval decision 1\n${JSON.stringify([...fields, key_id])}`;
}

export function changeText({ revision, change, decided_at, key_id }: ChangeMessage): string {
  return `swarm-hooks approver change 1\n${canonicalJson([revision, change, decided_at, key_id])}`;
}

/** The challenge of a passkey that is being made: it says for which revision and under which name. */
export function enrolmentText(revision: number, name: string): string {
  return `swarm-hooks passkey enrolment 1\n${JSON.stringify([revision, name])}`;
}

/** What was shown of a call as one text. The session is left out: the call that uses the approval may be of another. */
export function subjectToSign({ session: _session, ...shown }: Readonly<Record<string, unknown>>): string {
  return canonicalJson(shown);
}

/** Passkeys are made for this name: browsers refuse an IP address. */
export const passkeyDomain = "localhost";

/** Where browsers find the dashboard of the daemon at this port. */
export function pageAt(port: number): string {
  return `http://${passkeyDomain}:${port}`;
}
