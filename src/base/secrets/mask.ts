import { endOfCommand } from "./command-end.ts";
import { commandForms } from "./commands.ts";
import { declarationForms } from "./declarations.ts";
import type { IsHarmless, SecretForm } from "./form.ts";
import { isPlaceholder } from "./placeholder.ts";
import { plainText } from "./plain-text.ts";
import { privateKeyForms } from "./private-keys.ts";
import { textForms } from "./texts.ts";
import { tokenForms } from "./tokens.ts";

/** Every form of a secret that is known, in the order they are masked in: whole keys before what may stand in them. */
export const secretForms: readonly SecretForm[] = [
  ...privateKeyForms,
  ...tokenForms,
  ...textForms,
  ...declarationForms,
  ...commandForms,
];

export const redacted = "[redacted]";

/** The id under which values of `addKnownSecret` are counted. */
export const knownSecretId = "known-secret";

/** Secrets of this process that no form knows, such as its own token. */
const known = new Set<string>();

/** Makes every text that is masked from now on lose this very value. A short one would take words out of texts. */
export function addKnownSecret(value: string): void {
  if (value.length >= 16) known.add(value);
}

/** Called once for every secret that was masked, with the id of its form. */
export type OnMasked = (formId: string) => void;

/** A text with its secrets replaced by `[redacted]`; the same text when it has none. */
export function maskSecrets(text: string): string {
  return maskForms(text, secretForms, () => undefined);
}

/** The same with some forms only. What hides a secret, such as a color within it, goes with it. */
export function maskForms(text: string, forms: readonly SecretForm[], onMasked: OnMasked): string {
  const masked = maskAsWritten(text, forms, onMasked);
  const plain = plainText(masked);
  if (plain === masked) return masked;
  const again = maskAsWritten(plain, forms, onMasked);
  return again === plain ? masked : again;
}

function maskAsWritten(text: string, forms: readonly SecretForm[], onMasked: OnMasked): string {
  let masked = maskKnown(text, onMasked);
  const found = findKeywords(masked);
  if (found.size === 0) return masked;
  for (const form of forms)
    if (keywordsOf.get(form)?.some((keyword) => found.has(keyword)))
      masked = maskForm(masked, form, onMasked);
  return masked;
}

/** The keywords in a text, found in one pass over it: nearly every text of an agent has none, and most others have one. */
function findKeywords(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  anyKeyword.lastIndex = 0;
  for (let match = anyKeyword.exec(text); match !== null; match = anyKeyword.exec(text)) {
    const [keyword] = match;
    for (const name of startsOf.get(keyword.toLowerCase()) ?? []) found.add(name);
    if (found.size === keywords.length) break;
    // The next one may begin within this one.
    anyKeyword.lastIndex = match.index + 1;
  }
  return found;
}

const keywordsOf: ReadonlyMap<SecretForm, readonly string[]> = new Map(
  secretForms.map((form) => [form, form.keywords.map((keyword) => keyword.toLowerCase())]),
);

function maskKnown(text: string, onMasked: OnMasked): string {
  let masked = text;
  for (const value of known) {
    if (!masked.includes(value)) continue;
    masked = masked.replaceAll(value, () => {
      onMasked(knownSecretId);
      return redacted;
    });
  }
  return masked;
}

function maskForm(text: string, form: SecretForm, onMasked: OnMasked): string {
  const count = () => onMasked(form.id);
  if (form.within !== undefined) return maskCommands(text, form.pattern, form.within, count);
  return maskMatches(text, form, count);
}

/** Masks the arguments of every command the pattern finds the name of. */
function maskCommands(
  text: string,
  name: RegExp,
  within: NonNullable<SecretForm["within"]>,
  count: () => void,
): string {
  let masked = "";
  let from = 0;
  for (const { index } of text.matchAll(name)) {
    // A name among the arguments of a command before it belongs to that one.
    if (index < from) continue;
    const end = endOfCommand(text, index);
    const command = text.slice(index, end);
    const hasSecret = within.needs === undefined || within.needs.test(command);
    masked += text.slice(from, index) + (hasSecret ? maskMatches(command, within, count) : command);
    from = end;
  }
  return masked + text.slice(from);
}

type Matching = Pick<SecretForm, "pattern" | "isHarmless" | "startOf">;

function maskMatches(text: string, { pattern, isHarmless, startOf }: Matching, count: () => void): string {
  let masked = "";
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const { index, groups } = match;
    const end = index + match[0].length;
    const after = text[end] ?? "";
    const { kept = "", value } = groups ?? {};
    if (isNoSecret(value, match[0], `${wordBefore(text, index)}${kept}`, after, isHarmless)) continue;
    const start = startOf === undefined ? index : Math.max(from, startOf(text, index));
    // The end alone, without anything before it that belongs to it, is a mention.
    if (startOf !== undefined && start === index) continue;
    masked += `${text.slice(from, start)}${kept}${redacted}`;
    from = end;
    count();
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** The beginning of a name whose end a pattern has found: `next_page_` of `next_page_token=`. */
function wordBefore(text: string, end: number): string {
  return /[\w-]{0,64}$/.exec(text.slice(Math.max(0, end - 64), end))?.[0] ?? "";
}

function isNoSecret(
  value: string | undefined,
  whole: string,
  kept: string,
  after: string,
  isHarmless: IsHarmless | undefined,
): boolean {
  if (value === undefined) return isHarmless?.(whole, kept, after) === true;
  const bare = value.replace(/^\\{0,3}["']/, "").replace(/\\{0,3}["']$/, "");
  return bare.startsWith(redacted) || isPlaceholder(bare) || isHarmless?.(bare, kept, after) === true;
}

const keywords = [...new Set([...keywordsOf.values()].flat())];

/** Longer ones first: where one is found, the others that begin it are there too. */
const anyKeyword = new RegExp(
  keywords
    .toSorted((a, b) => b.length - a.length)
    .map((keyword) => keyword.replaceAll(/[.$/]/g, String.raw`\$&`))
    .join("|"),
  "gi",
);

const startsOf: ReadonlyMap<string, readonly string[]> = new Map(
  keywords.map((keyword) => [keyword, keywords.filter((other) => keyword.startsWith(other))]),
);
