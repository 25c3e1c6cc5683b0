/** Names whose values are nobody's business, and texts that give themselves away wherever they stand. */
const secretName = /secret|token|passw|api[_-]?key|authorization|credential|private[_-]?key|cookie/i;
const secretText =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|whsec_[\w+/=]{8,}|xox[abp]-[\w-]{10,}|AKIA[0-9A-Z]{16})|\bBearer\s+[\w.~+/=-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END|$)/g;
/**
 * `PGPASSWORD=x psql`, `--api-key=x`: what is assigned to a telling name, but for a reference such as `$TOKEN`. Lengths are
 * bounded, so that a text made for it takes no longer than any other.
 */
const assignedSecret =
  /(?<![\w-])([\w-]{0,40}?(?:secret|token(?!s)|passw|api[_-]?key|credential|private[_-]?key)[\w-]{0,20}=)(?:"(?!\$)[^"\n]{1,4096}"?|'[^'\n]{1,4096}'?|[^\s"'&;|()$][^\s"'&;|()]{0,4095})/gi;
/** `https://user:password@host`. */
const urlPassword = /(:\/\/[^\s/:@]{0,64}:)[^\s/@$]{1,256}(?=@)/g;

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

export const redacted = "[redacted]";

/** A copy of JSON data with its secrets replaced, for logs and records. */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
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

function redactText(text: string): string {
  let shown = text.replaceAll(secretText, redacted);
  if (shown.includes("=")) shown = shown.replaceAll(assignedSecret, `$1${redacted}`);
  return shown.includes("://") ? shown.replaceAll(urlPassword, `$1${redacted}`) : shown;
}
