/** Texts that stand where a secret would, and are none. */
const placeholder =
  /^(?:\$(?:[A-Za-z_]\w*|[{(])|%[A-Za-z_(]|[<{[`]|@|\*{2}|[xX.•…_-]{3,}|(?:none|null|nil|undefined|true|false|redacted|string|str|text|bytes|value|boolean|number|object|any|unknown|optional|required|changeme|your[\w-]*|process\.env\b.*|os\.(?:environ|getenv)\b.*|secrets\.\w+)\W*$)/i;

/** `$TOKEN`, `${{ secrets.X }}`, `<token>`, `***`, `None`: what refers to a secret, stands for one, or says its type. */
export function isPlaceholder(value: string): boolean {
  return value === "" || placeholder.test(value);
}

/** Words that follow an option in a sentence or a help text, and are not its value. */
const prose = new Set(
  "a an and are argument as be by can cannot enables flag for from has if in instead into is it may must not of on option options or parameter set should so sets that the then this to use used uses using was when which will with you your".split(
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
