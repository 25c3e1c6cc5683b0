import { nameOfMember } from "../../base/redact.ts";
import { isNamedSecret, namedSecretId } from "../../base/secrets/declarations.ts";
import type { SecretForm } from "../../base/secrets/form.ts";
import { maskForms, type OnMasked, redacted, secretForms } from "../../base/secrets/mask.ts";
import { Answer } from "../../engine/events/answer.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";

/**
 * Masks the secrets in a tool's output before the model reads it. Only texts change: the output keeps its shape, because
 * agents drop a result that has another. The answer says how many were masked and of which forms, never what they were.
 */
export function redactHandler(formIds: readonly string[]): HandlerFunction {
  const wanted = new Set(formIds);
  const forms = secretForms.filter(({ id }) => wanted.has(id));
  return ({ tool_output }) => {
    const counts = new Map<string, number>();
    const masking: Masking = {
      forms,
      isNameTaken: wanted.has(namedSecretId),
      onMasked: (id) => void counts.set(id, (counts.get(id) ?? 0) + 1),
    };
    const masked = maskTexts(tool_output, masking);
    if (counts.size === 0) return undefined;
    return new Answer(undefined, summary(counts), { tool_output: masked }, undefined, undefined);
  };
}

interface Masking {
  readonly forms: readonly SecretForm[];
  /** Whether a text is masked because of the name it stands under. */
  readonly isNameTaken: boolean;
  readonly onMasked: OnMasked;
}

function maskTexts(value: unknown, masking: Masking): unknown {
  if (typeof value === "string") return maskForms(value, masking.forms, masking.onMasked);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => maskTexts(part, masking));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, maskNamed(nameOfMember(value, name), part, masking)]),
  );
}

function maskNamed(name: string, part: unknown, masking: Masking): unknown {
  const isSecret =
    masking.isNameTaken && typeof part === "string" && part !== redacted && isNamedSecret(name, part);
  if (!isSecret) return maskTexts(part, masking);
  masking.onMasked(namedSecretId);
  return redacted;
}

/** `3 masked (github-token 2, jwt 1)`: it stands in the record and in logs. */
function summary(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const forms = [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([id, count]) => `${id} ${count}`);
  return `${total} masked (${forms.join(", ")})`;
}
