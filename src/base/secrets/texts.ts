import { filler, type SecretForm, startAfter } from "./form.ts";
import { looksRandom } from "./placeholder.ts";

/** Names that say their value is a secret. */
const tellingName =
  "(?:secret|token(?!s|iz)|passw|pwd|passphrase|[_-]pass(?![a-z])|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|(?:encryption|signing|master|client|auth|service|deploy)[_-]?key|credential|_auth)";

const tellingKeywords = ["secret", "token", "pass", "pwd", "key", "credential", "_auth"];

/** `token_url`, `PASSWORD_FILE`, `aws_access_key_id`: what is said about a secret, not the secret. */
const aboutSecret =
  /[_-]?(?:type|url|uri|name|id|ids|file|path|dir|endpoint|issuer|expir\w*|ttl|length|len|count|limit|policy|prompt|stdin|env|field|header|regex|pattern|ref|arn|store|provider|hint|label|version|at)$/i;

/** Code passes values on: `password=settings.password`, `token=get_token(`, `secret=token`. */
function isCode(value: string, after: string): boolean {
  if (/^[([]/.test(after) && /^[A-Za-z_][\w.]*$/.test(value)) return true;
  return (
    /^[A-Za-z_][A-Za-z_.]*$/.test(value) &&
    /\.|secret|token|passw|key|credential/i.test(value) &&
    !/^[A-Z]/.test(value)
  );
}

function nameOf(kept: string): string {
  return /([\w-]*)["']?\s*(?:=>|[:=])[\s"']*$/.exec(kept)?.[1] ?? "";
}

/** Secrets that are known by what stands around them. */
export const textForms: readonly SecretForm[] = [
  {
    id: "private-key",
    doc: "Private key in PEM, OpenSSH or PGP armor",
    keywords: ["PRIVATE KEY"],
    // What a key's lines are made of, with the numbers, arrows and escaped line breaks that tools put between them.
    pattern:
      /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[A-Za-z0-9+/=\s\\:,"'|>\u2192-])*(?:-----END[ A-Z0-9]{0,60}-----)?/g,
    example: () => `-----BEGIN ${"RSA PRIVATE"} KEY-----\n${filler(64)}\n-----END ${"RSA PRIVATE"} KEY-----`,
    masked: "",
  },
  {
    id: "private-key-base64",
    doc: "The same in base64, as in a kubeconfig, and the body of an OpenSSH key",
    keywords: ["LS0tLS1CRUdJTi", "b3BlbnNzaC1rZXktdjEA"],
    pattern:
      /(?:LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,40}(?:UFJJVkFURS|BSSVZBVE|QUklWQVRF)|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/=]*/g,
    example: () => `b3BlbnNzaC1rZXkt${"djEA"}${filler(64)}`,
    masked: "",
  },
  {
    id: "jwt",
    doc: "JSON Web Token",
    keywords: ["eyJ"],
    // It begins only where a run of its characters begins: within `eyJeyJ…` every other place would read on to the end.
    pattern: new RegExp(
      String.raw`(?<=${startAfter(String.raw`[^\w-]`)})eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*){0,4}`,
      "g",
    ),
    example: () => `eyJ${filler(20)}.eyJ${filler(30)}.${filler(43)}`,
    masked: "",
  },
  {
    id: "aws-key-pair",
    doc: "AWS: secret key beside its id",
    keywords: ["AKIA", "ASIA"],
    pattern:
      /(?<kept>(?:AKIA|ASIA)[A-Z0-9]{16}["']?[\s,:;|]{1,8}["']?)(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    example: () => `AKIA${filler(16, "A2B3C4D5E6F7GHIJK")},${filler(40)}`,
    masked: ",",
  },
  {
    id: "authorization-header",
    doc: "Authorization header with its credentials",
    keywords: ["authorization"],
    pattern:
      /(?<kept>authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:basic|bearer|token|digest|apikey|negotiate|aws4-hmac-sha256)\s{1,4})?)(?<value>[^\s"',;]{4,})/gi,
    isHarmless: (value) => /^(?:basic|bearer|token|digest|apikey|negotiate)$/i.test(value),
    example: () => `Authorization: Basic ${filler(16)}`,
    masked: "Authorization: Basic ",
  },
  {
    id: "bearer-token",
    doc: "Bearer token outside a header",
    keywords: ["bearer"],
    pattern: /(?<kept>\bbearer\s{1,4})(?<value>[\w.~+/=-]{8,})/gi,
    isHarmless: (value) => !looksRandom(value),
    example: () => `Bearer ${filler(12)}`,
    masked: "Bearer ",
  },
  {
    id: "cookie-header",
    doc: "Cookies of a request or an answer",
    keywords: ["cookie:"],
    pattern:
      /(?<kept>\bcookie:\s{0,4})(?<value>[\w.%-]{1,128}=[^\s"';]{4,}(?:; ?[\w.%-]{1,128}=[^\s"';]+)*)/gi,
    example: () => `Cookie: sid=${filler(20)}`,
    masked: "Cookie: ",
  },
  {
    id: "url-password",
    doc: "Password in an address: scheme://user:password@host",
    keywords: ["://"],
    pattern: /(?<kept>:\/\/[^\s/:@"'<>]{0,256}:)(?!\d{1,5}[?#])(?<value>[^\s/"'<>]{1,1024})(?=@)/g,
    example: () => `postgres://u:${"p"}@h/db`,
    masked: "postgres://u:@h/db",
  },
  {
    id: "url-token",
    doc: "Token in an address: https://token@host",
    keywords: ["://"],
    pattern: /(?<kept>:\/\/)(?<value>[\w-]{20,256})(?=(?::[^\s/@]{0,64})?@)/g,
    isHarmless: (value) => !looksRandom(value),
    example: () => `https://${filler(40)}@host/x.git`,
    masked: "https://@host/x.git",
  },
  {
    id: "signed-url",
    doc: "Signature in an address: Azure SAS, AWS and Google presigned",
    keywords: ["sig=", "signature="],
    pattern: /(?<kept>[?&](?:sig|x-amz-signature|x-goog-signature)=)(?<value>[\w%+/=-]{20,})/gi,
    example: () => `https://h/b?sv=1&sig=${filler(43)}%3D`,
    masked: "https://h/b?sv=1&sig=",
  },
  {
    id: "password-hash",
    doc: "Hash of a password: bcrypt and the forms of /etc/shadow",
    keywords: ["$2", "$1$", "$5$", "$6$", "$y$"],
    pattern:
      /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[156y]\$[^\s:$]{1,64}\$(?:[^\s:$]{1,64}\$)?[./A-Za-z0-9]{22,})/g,
    example: () => `$2b$10$${filler(53)}`,
    masked: "",
  },
  {
    id: "netrc-password",
    doc: "Password in a .netrc",
    keywords: ["login"],
    pattern: /(?<kept>\blogin\s{1,8}[^\s]{1,128}\s{1,8}password\s{1,8})(?<value>\S+)/g,
    example: () => `machine h login u password ${filler(8)}`,
    masked: "machine h login u password ",
  },
  {
    id: "assignment",
    doc: "NAME=value where the name says what it is: PGPASSWORD=…, --api-key=…, token=…&",
    keywords: tellingKeywords,
    pattern: new RegExp(
      String.raw`(?<kept>${tellingName}[\w-]{0,24}=)(?<value>"[^"\n]{1,4096}"?|'[^'\n]{1,4096}'?|[^\s"'&;|(),]{1,4096})`,
      "gi",
    ),
    isHarmless: (value, kept, after) =>
      aboutSecret.test(nameOf(kept)) ||
      value.startsWith("=") ||
      (!/[A-Z]=$/.test(kept) && isCode(value, after)),
    example: () => `PGPASSWORD=${"hunter"}2 psql`,
    masked: "PGPASSWORD= psql",
  },
  {
    id: "declaration",
    doc: "name: value and name = value, as in YAML, JSON, INI and code, where the value looks random",
    keywords: tellingKeywords,
    pattern: new RegExp(
      String.raw`(?<kept>${tellingName}[\w-]{0,24}\\?["']?(?:\s{0,4}(?:=>|:=|:)\s{0,4}|\s{1,16}=\s{0,4}|=\s{1,4})\\?["']?)(?<value>[^\s"',;(){}<>\\]{6,4096})`,
      "gi",
    ),
    isHarmless: (value, kept, after) =>
      aboutSecret.test(nameOf(kept)) ||
      !looksRandom(value) ||
      /^[[(.]/.test(after) ||
      /^https?:\/\//.test(value),
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
    id: "docker-auth",
    doc: "Credentials of a registry in Docker's config.json",
    keywords: ['"auth"', '"identitytoken"'],
    pattern: /(?<kept>"(?:auth|identitytoken)\\?"\s{0,4}:\s{0,4}\\?")(?<value>[A-Za-z0-9+/=._-]{8,})/g,
    example: () => `{"auths":{"h":{"auth":"${filler(24)}"}}}`,
    masked: '{"auths":{"h":{"auth":""}}}',
  },
];
