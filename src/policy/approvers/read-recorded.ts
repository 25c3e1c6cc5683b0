import type { RecordedApproverChange } from "./history.ts";
import type { ApproverAction, ApproverKey, DecisionMessage, Proof } from "./message.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A change as it was recorded; null when the text is something else. */
export function readRecordedChange(text: string): RecordedApproverChange | null {
  const read = parsed(text);
  if (read === null) return null;
  const { revision, change, decided_at, proof } = read;
  const isChange = Number.isSafeInteger(revision) && typeof decided_at === "string" && isAction(change);
  return isChange && (proof === null || isProof(proof)) ? (read as unknown as RecordedApproverChange) : null;
}

/** What was signed and by which key, as an approval's row has it; null when the text is something else. */
export function readSignedDecision(
  text: string,
): { readonly signed: DecisionMessage; readonly proof: Proof } | null {
  const read = parsed(text);
  if (read === null || !isObject(read.signed) || !isProof(read.proof)) return null;
  return { signed: read.signed as unknown as DecisionMessage, proof: read.proof };
}

/** The proof an approval was given with; null when the text is none. */
export function readStoredProof(text: string | null): Proof | null {
  const read = parsed(text ?? "null");
  return isProof(read) ? read : null;
}

function parsed(text: string): Fields | null {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

function isAction(value: unknown): value is ApproverAction {
  if (!isObject(value)) return false;
  switch (value.action) {
    case "add":
      return isKey(value.key);
    case "remove":
      return typeof value.key_id === "string";
    case "require":
      return value.require === "any" || value.require === "person";
    default:
      return false;
  }
}

function isKey(value: unknown): value is ApproverKey {
  if (!isObject(value)) return false;
  const { id, name, kind, public_key, credential_id } = value;
  const areTexts = [id, name, public_key].every((part) => typeof part === "string");
  return areTexts && (kind === "passphrase" ? credential_id === null : isPasskey(kind, credential_id));
}

function isPasskey(kind: unknown, credentialId: unknown): boolean {
  return kind === "passkey" && typeof credentialId === "string";
}

function isProof(value: unknown): value is Proof {
  if (!isObject(value)) return false;
  const { key_id, signature, authenticator_data = "", client_data = "" } = value;
  return [key_id, signature, authenticator_data, client_data].every((part) => typeof part === "string");
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
