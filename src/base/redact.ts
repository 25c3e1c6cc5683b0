/** Names whose values are nobody's business, and texts that give themselves away wherever they stand. */
const secretName = /secret|token|passw|api[_-]?key|authorization|credential|private[_-]?key|cookie/i;
const secretText =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|whsec_[\w+/=]{8,}|xox[abp]-[\w-]{10,}|AKIA[0-9A-Z]{16})|\bBearer\s+[\w.~+/=-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END|$)/g;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

export const redacted = "[redacted]";

/** A copy of JSON data with its secrets replaced, for logs and records. */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(secretText, redacted);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecret(name, part) ? redacted : redact(part)]),
  );
}

/** How many tokens a model took, or may take, is a number and no secret. */
function isSecret(name: string, part: unknown): boolean {
  return isSecretName(name) && !(typeof part === "number" && /tokens/i.test(name));
}
