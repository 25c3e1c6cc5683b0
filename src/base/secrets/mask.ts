import { commandForms } from "./commands.ts";
import type { IsHarmless, SecretForm } from "./form.ts";
import { isPlaceholder } from "./placeholder.ts";
import { textForms } from "./texts.ts";
import { tokenForms } from "./tokens.ts";

/** Every form of a secret that is known, in the order they are masked in: whole keys before what may stand in them. */
export const secretForms: readonly SecretForm[] = [
  ...textForms.slice(0, 4),
  ...tokenForms,
  ...textForms.slice(4),
  ...commandForms,
];

export const redacted = "[redacted]";

/** Secrets of this process that no form knows, such as its own token. */
const known = new Set<string>();

/** Makes every text that is masked from now on lose this very value. A short one would take words out of texts. */
export function addKnownSecret(value: string): void {
  if (value.length >= 16) known.add(value);
}

/** A text with its secrets replaced by `[redacted]`; the same text when it has none. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const value of known) if (masked.includes(value)) masked = masked.replaceAll(value, redacted);
  if (!anyKeyword.test(masked)) return masked;
  const lower = masked.toLowerCase();
  for (const { form, keywords } of prepared) {
    if (keywords.some((keyword) => lower.includes(keyword))) masked = maskForm(masked, form);
  }
  return masked;
}

function maskForm(text: string, { pattern, isHarmless, within }: SecretForm): string {
  if (within === undefined) return maskMatches(text, pattern, isHarmless);
  return text.replaceAll(pattern, (command) => maskMatches(command, within.pattern, within.isHarmless));
}

function maskMatches(text: string, pattern: RegExp, isHarmless: IsHarmless | undefined): string {
  return text.replaceAll(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    if (typeof groups !== "object" || groups === null) return redacted;
    const { kept = "", value = "" } = groups as { kept?: string; value?: string };
    const after = text[(rest.at(-3) as number) + match.length] ?? "";
    const bare = value.replace(/^["']|["']$/g, "");
    if (bare.startsWith(redacted) || isPlaceholder(bare) || isHarmless?.(bare, kept, after) === true)
      return match;
    return `${kept}${redacted}`;
  });
}

const prepared = secretForms.map((form) => ({
  form,
  keywords: form.keywords.map((keyword) => keyword.toLowerCase()),
}));

/** One look for all of them at once: nearly every text of an agent has none. */
const anyKeyword = new RegExp(
  [...new Set(prepared.flatMap(({ keywords }) => keywords))]
    .map((keyword) => keyword.replaceAll(/[.$/]/g, String.raw`\$&`))
    .join("|"),
  "i",
);
