import { maskSecrets, redacted } from "./secrets/mask.ts";

export { maskSecrets, redacted };

/** Names whose values are secrets, whatever they look like. */
const secretName =
  /secret|token|passw|passphrase|api[_-]?key|access[_-]?key(?![_-]?id)|authorization|credential|private[_-]?key|cookie/i;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** A copy of JSON data with its secrets replaced, for logs and records. */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return maskSecrets(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecret(nameOfMember(value, name), part) ? redacted : redact(part),
    ]),
  );
}

/** What a member is about: in `{"name": "DB_PASSWORD", "value": "…"}` the other member says it. */
export function nameOfMember(owner: object, member: string): string {
  if (!/^value$/i.test(member)) return member;
  const named = Object.entries(owner).find(
    ([name, part]) => /^(?:name|key)$/i.test(name) && typeof part === "string",
  );
  return named === undefined ? member : String(named[1]);
}

/** How many tokens a model took, or may take, is a number and no secret. */
function isSecret(name: string, part: unknown): boolean {
  return isSecretName(name) && !(typeof part === "number" && /tokens/i.test(name));
}

/**
 * The same for data that goes on to be used: only texts change, so that it keeps its shape, and the value itself comes
 * back when it has no secret. Names of keys count for texts alone: `has_token: true` is no token.
 */
export function maskSecretsIn<T>(value: T): T {
  return maskPart(value, false) as T;
}

function maskPart(value: unknown, isNamedSecret: boolean): unknown {
  if (typeof value === "string") return isNamedSecret && value !== "" ? redacted : maskSecrets(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const parts = value.map((part) => maskPart(part, isNamedSecret));
    return parts.every((part, at) => part === value[at]) ? value : parts;
  }
  const entries = Object.entries(value);
  const masked = entries.map(
    ([name, part]) => [name, maskPart(part, isNamedSecret || isSecretName(name))] as const,
  );
  return masked.every(([, part], at) => part === entries[at]?.[1]) ? value : Object.fromEntries(masked);
}
