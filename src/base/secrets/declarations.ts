import { filler, quote, type SecretForm } from "./form.ts";
import { isExpression, isLabel, looksRandom } from "./placeholder.ts";

/** Names that say their value is a secret. */
const tellingName =
  "(?:secret|token(?!s|iz)|passw|pwd|passphrase|[_-]pass(?![a-z])|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|(?:encryption|signing|master|client|auth|service|deploy|instrumentation)[_-]?key|credential|_auth)";

const tellingKeywords = ["secret", "token", "pass", "pwd", "key", "credential", "_auth"];

/** Names whose value is a secret whatever it looks like. `token` alone is also what parsers and models call a word. */
const plainName =
  "(?:passw(?:or)?d|passphrase|pwd|secret|secret[_-]?key|api[_-]?key|(?:access|auth|refresh|session|bearer|api|csrf)[_-]?token|(?:access|private|account|encryption|signing|master)[_-]?key)";

/** `token_url`, `PASSWORD_FILE`, `aws_access_key_id`: what is said about a secret, not the secret. */
const aboutSecret =
  /[_-]?(?:type|url|uri|name|id|ids|file|path|dir|endpoint|issuer|expir\w*|ttl|length|len|count|limit|policy|prompt|stdin|env|field|header|regex|pattern|ref|arn|store|provider|hint|label|version|at|placeholder|message|error|title|text)$/i;

/** A place in a list that a caller asks for the next part of. */
const pagingToken = /(?:page|next|continuation|cursor|sync|cancel(?:lation)?)[_-]?token$/i;

/** Code passes values on: `password=settings.password`, `token=get_token(`, `secret=token`. */
function isCode(value: string, after: string): boolean {
  if (isExpression(value) || /^-?\w{1,2}\W*$/.test(value) || value.endsWith("]")) return true;
  if (/^(?:!|\\[wsd]|(?:void|new|await|this|typeof|function)\b)/i.test(value)) return true;
  if (/^[([]/.test(after) && /^[A-Za-z_][\w.]*$/.test(value)) return true;
  return (
    /^[A-Za-z_][A-Za-z_.]*$/.test(value) &&
    /\.|secret|token|passw|key|credential/i.test(value) &&
    !/^[A-Z]/.test(value)
  );
}

function nameIn(kept: string): string {
  return /([\w-]{0,160})\\{0,3}["']?\s*(?:=>|:=|[:=])[\s\\"']*$/.exec(kept)?.[1] ?? "";
}

function isNoSecretName(name: string): boolean {
  return aboutSecret.test(name) || pagingToken.test(name);
}

/** What holds credentials, in place of them: GOOGLE_APPLICATION_CREDENTIALS. */
function isFile(value: string): boolean {
  return /^[~.]{0,2}\/?[\w./-]{1,256}\.(?:json|pem|ya?ml|txt|key|crt|p12|env)$/.test(value);
}

/** The working folder: PWD=/home/me, OLDPWD=~/a. */
function isFolder(name: string, value: string): boolean {
  return /^(?:OLD)?PWD$/i.test(name) && /^(?:~|\.{0,2}[\\/]|[A-Za-z]:[\\/])/.test(value);
}

function isUrl(value: string): boolean {
  return /^https?:\/\//.test(value);
}

const wholeName = new RegExp(`${tellingName}[\\w-]{0,24}$`, "i");
const wholePlainName = new RegExp(`${plainName}$`, "i");

/** The form that a text under a telling name of a structure has, too. */
export const namedSecretId = "quoted-declaration";

/** Whether a text is a secret because of the name it stands under, by the same signs as in a text. */
export function isNamedSecret(name: string, value: string): boolean {
  if (isNoSecretName(name) || !wholeName.test(name) || isUrl(value)) return false;
  if (wholePlainName.test(name)) return !isLabel(value, name);
  return value.length >= 6 && looksRandom(value) && !/\s/.test(value);
}

/** Secrets that are known by the name they stand under. */
export const declarationForms: readonly SecretForm[] = [
  {
    id: "assignment",
    doc: "NAME=value where the name says what it is: PGPASSWORD=…, --api-key=…, token=…&",
    keywords: tellingKeywords,
    pattern: new RegExp(
      String.raw`(?<kept>${tellingName}[\w-]{0,24}=)(?<value>\\{0,3}"[^"\n]{1,4096}"?|\\{0,3}'[^'\n]{1,4096}'?|[^\s"'&;|(),]{1,4096})`,
      "gi",
    ),
    isHarmless: (value, kept, after) =>
      isNoSecretName(nameIn(kept)) ||
      /^[=>~]/.test(value) ||
      isFile(value) ||
      isFolder(nameIn(kept), value) ||
      (!/[A-Z]=$/.test(kept) && isCode(value, after)),
    example: () => `PGPASSWORD=${"hunter"}2 psql`,
    masked: "PGPASSWORD= psql",
  },
  {
    id: namedSecretId,
    doc: '"password": "value" and password = "value", where a quoted value stands under a telling name',
    keywords: tellingKeywords,
    pattern: new RegExp(
      String.raw`(?<kept>${plainName}(?:${quote})?\]?\s{0,4}(?:=>|:=|:|=(?![=>~]))\s{0,4}(?<open>${quote}))(?<value>(?:(?!\k<open>)(?:\\{3}["']|\\.|[^\\\n])){3,4096})(?=\k<open>)`,
      "gi",
    ),
    isHarmless: (value, kept) => isUrl(value) || isLabel(value, nameIn(kept)),
    example: () => `{"db_password": "${"correct horse"}"}`,
    masked: '{"db_password": ""}',
  },
  {
    id: "declaration",
    doc: "name: value and name = value, as in YAML, INI and code, where the value looks random",
    keywords: tellingKeywords,
    pattern: new RegExp(
      String.raw`(?<kept>${tellingName}[\w-]{0,24}(?:${quote})?(?:\s{0,4}(?:=>|:=|:)\s{0,4}(?:[|>][+-]?\s{1,40})?|\s{1,16}=\s{0,4}|=\s{1,4}|\s{1,2}(?=[^\s;]{6,64};))(?:${quote})?)(?<value>[^\s"',;(){}<>\\]{6,4096})`,
      "gi",
    ),
    isHarmless: (value, kept, after) =>
      isNoSecretName(nameIn(kept)) ||
      !looksRandom(value) ||
      isExpression(value) ||
      /^[[(.]/.test(after) ||
      isUrl(value),
    example: () => `aws_secret_access_key = ${filler(40)}`,
    masked: "aws_secret_access_key = ",
  },
  {
    id: "key-assignment",
    doc: "ANY_KEY=value, where the value is long and looks random",
    keywords: ["_key="],
    pattern: /(?<kept>[A-Z]_KEY=["']?)(?<value>[^\s"'&;|()]{16,4096})/g,
    isHarmless: (value) => !looksRandom(value) || /[/.]/.test(value.slice(0, 2)),
    example: () => `APP_KEY=${filler(24)}`,
    masked: "APP_KEY=",
  },
  {
    id: "name-and-value",
    doc: "name: DB_PASSWORD with value: … beside it, as in lists of variables",
    keywords: ["value"],
    pattern: new RegExp(
      String.raw`(?<kept>(?<![a-z])(?:name|key)(?:${quote})?\s{0,4}[:=]\s{0,4}(?:${quote})?(?:[\w.]{0,64}[_.-])?${tellingName}[\w-]{0,24}(?:${quote})?,?\s{1,40}(?:${quote})?value(?:${quote})?\s{0,4}[:=]\s{0,4}(?:${quote})?|(?<![a-z])(?:name|key)${quote}:${quote}(?:[\w.]{0,64}[_.-])?${tellingName}[\w-]{0,24}${quote},${quote}value${quote}:${quote})(?<value>[^\s"',;(){}<>\\]{3,4096})`,
      "gi",
    ),
    isHarmless: (value) => !looksRandom(value) || isExpression(value) || isUrl(value),
    example: () => `- name: DB_PASSWORD\n  value: ${filler(10)}`,
    masked: "- name: DB_PASSWORD\n  value: ",
  },
  {
    id: "xml-element",
    doc: "<password>value</password>, and the entries of NuGet and .NET",
    keywords: ["password>", "passphrase>", "secret>", "token>", "key>", "value="],
    pattern:
      /(?<kept><[\w:.-]{0,64}(?:password|passphrase|secret|token|apikey|accesskey|secretkey|privatekey)>|<add\s{1,4}key="[\w:.-]{0,64}(?:password|secret|token|apikey)"\s{1,4}value=")(?<value>[^<>"\n]{1,4096})(?=<\/|")/gi,
    isHarmless: (value) => isLabel(value, "") || /^\s*$/.test(value),
    example: () => `<password>${"hunter"}2</password>`,
    masked: "<password></password>",
  },
  {
    id: "wifi-passphrase",
    doc: "Pre-shared key of a wireless network",
    keywords: ["psk="],
    pattern: /(?<kept>(?<![\w-])(?:wpa-)?psk=)(?<value>"[^"\n]{8,63}"|[0-9a-f]{64})/g,
    example: () => `psk="${filler(12)}"`,
    masked: "psk=",
  },
];
