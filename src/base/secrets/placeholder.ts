/** Texts that stand where a secret would, and are none. */
const placeholder =
  /^(?:\W*$|\$(?:[A-Za-z_]\w*|[{(])|%[A-Za-z_(]|[<{[`]|@|\*{2}|[xX.•…_-]{3,}|(?:none|null|nil|undefined|true|false|redacted|string|str|text|bytes|value|boolean|number|object|any|unknown|optional|required|changeme|your[\w-]*|process\.env\b.*|os\.(?:environ|getenv)\b.*|secrets\.\w+)\W*$)/i;

/** `$TOKEN`, `${{ secrets.X }}`, `<token>`, `***`, `None`: what refers to a secret, stands for one, or says its type. */
export function isPlaceholder(value: string): boolean {
  return value === "" || placeholder.test(value) || unfinished.test(value);
}

/** `sk-xxxx`, `ghp_...`, `your_token_here`: what documentation writes for somebody to replace. */
const unfinished = /x{4}|\.{3}|\u2026|your[_-]|[_-]here$/i;

/**
 * `0x2000`, `parts[1]`, `Schema$1`, `credentials3`, `r2.access_token`, `Uint8Array`, `/^[0-9a-f]`: letters and digits that
 * are code. An identifier has to say what it holds: `hunter2` is one, too.
 */
export function isExpression(value: string): boolean {
  if (/^(?:0x[0-9a-f]+|u?int\d+\w*|float\d+\w*|\/\^.*|.*a-z.*)$/i.test(value)) return true;
  if (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*(?:[[(]|\$\d+$|\??\.$)/.test(value)) return true;
  if (/^[A-Za-z_$][\w$]{0,40}\d{0,2}(?:\??\.[A-Za-z_$][A-Za-z_$]{0,40}\d{0,2})+$/.test(value))
    return !/\d{3}/.test(value);
  return /^[A-Za-z_$]{1,60}\d{1,2}$/.test(value) && /secret|token|passw|key|credential|auth/i.test(value);
}

/** Words that follow an option in a sentence or a help text, and are not its value. */
const prose = new Set(
  "a an and are argument as be by can cannot enables flag for from has if in instead into is it may must nor not of on option options or parameter password secret set should so sets that the then this to token use used uses using was when which will with you your".split(
    " ",
  ),
);

/** `--token TOKEN`, `--password string`, "use --token to …". */
export function isHelpText(value: string): boolean {
  return prose.has(value.toLowerCase()) || /^[A-Z][A-Z_-]*$/.test(value) || isPlaceholder(value);
}

/** Letters and digits together, as people and generators make secrets, and hardly any word has them. */
export function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** What a form on a screen says where a person types a secret, in place of one: `Password`, `Enter your token`. */
export function isLabel(value: string, name: string): boolean {
  if (isPlaceholder(value) || plain(value) === plain(name)) return true;
  if (/\$\{|\{\{|[^\0-\x7f]/.test(value)) return true;
  if (/^(?:[A-Z][a-z]+|[A-Z][A-Z_]+)$/.test(value)) return true;
  if (!/\s/.test(value.trim()))
    return /^(?:\W*|[a-z]+[._-])?(?:secret|token|passw(?:or)?d|key|credentials?)s?\W*$/i.test(value);
  return value
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => prose.has(word) || secretWords.has(word));
}

const secretWords = new Set(
  "api character characters confirm credential credentials enter field forgot forgotten invalid key login missing must new password passwords passphrase reset secret token tokens wrong".split(
    " ",
  ),
);

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
