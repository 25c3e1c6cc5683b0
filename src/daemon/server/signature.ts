import type { Proof } from "../../policy/approvers/message.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { SignedDecision } from "../../policy/approvals/signed-decision.ts";

/** A signature is some hundred characters; a passkey's with all its parts some thousand. */
const maxPartChars = 8_192;

/** A proof as it comes over the wire: known fields alone, each a text. */
export function readProof(given: JsonObject): Proof {
  const { authenticator_data, client_data } = given;
  return {
    key_id: partOf(given, "key_id"),
    signature: partOf(given, "signature"),
    ...(authenticator_data !== undefined && { authenticator_data: partOf(given, "authenticator_data") }),
    ...(client_data !== undefined && { client_data: partOf(given, "client_data") }),
  };
}

export function readSigned(given: JsonObject): SignedDecision {
  return {
    ...readProof(given),
    decided_at: timeIn(given, "decided_at"),
    expires_at: timeIn(given, "expires_at"),
  };
}

/** As `toISOString` writes it: two spellings of one moment would be two messages. */
export function timeIn(given: JsonObject, name: string): string {
  const text = partOf(given, name);
  const ms = Date.parse(text);
  if (!Number.isNaN(ms) && new Date(ms).toISOString() === text) return text;
  throw invalidOption("signature", name, "a time such as 2026-01-31T12:00:00.000Z", text);
}

function partOf(given: JsonObject, name: string): string {
  const value = given[name];
  if (typeof value === "string" && value.length <= maxPartChars) return value;
  throw invalidOption("signature", name, `a text of at most ${maxPartChars} characters`, value);
}
