import { filler, quote, type SecretForm, startAfter } from "./form.ts";
import { isExpression, looksRandom } from "./placeholder.ts";

/** The longest part of a token; larger ones exist in no system's documentation. */
const part = String.raw`[\w-]{0,16384}`;

/** `://`, also as JSON writes it in a text. */
const schemeEnd = String.raw`:(?:\\{0,2}\/){2}`;

/** Secrets that are known by what stands around them. */
export const textForms: readonly SecretForm[] = [
  {
    id: "jwt",
    doc: "JSON Web Token, signed or encrypted",
    keywords: ["eyJ"],
    // It begins only where a run of its characters begins: within `eyJeyJ…` every other place would read on to the end.
    pattern: new RegExp(
      String.raw`(?<=${startAfter(String.raw`[^\w-]`)})eyJ[\w-]{8,16384}\.(?:e(?:yJ|30)${part}(?:\.${part}){0,4}|${part}(?:\.[\w-]{8,16384}){3})`,
      "g",
    ),
    example: () => `eyJ${filler(20)}.eyJ${filler(30)}.${filler(43)}`,
    masked: "",
  },
  {
    id: "authorization-header",
    doc: "Authorization header with its credentials",
    keywords: ["authorization"],
    pattern: new RegExp(
      String.raw`(?<kept>(?<![A-Za-z])authorization(?:${quote})?\s{0,4}[:=]\s{0,4}\[?\s{0,4}(?:${quote})?(?:(?:basic|bearer|token|digest|apikey|negotiate)\s{1,4}|aws4-hmac-sha256\s{1,4}[^\n"']{0,1024}signature=)?)(?<value>[^\s"',;\\]{4,16384})`,
      "gi",
    ),
    isHarmless: (value, kept) =>
      /^(?:basic|bearer|token|digest|apikey|negotiate|aws4-hmac-sha256)$/i.test(value) ||
      isExpression(value) ||
      (/basic\s{1,4}$/i.test(kept) && /^[a-z]{1,7}$/.test(value)) ||
      (!/(?:[a-z]\s{1,4}|signature=)$/i.test(kept) && !looksRandom(value)),
    example: () => `Authorization: Basic ${filler(16)}`,
    masked: "Authorization: Basic ",
  },
  {
    id: "bearer-token",
    doc: "Bearer token outside a header",
    keywords: ["bearer"],
    pattern: /(?<kept>\bbearer\s{1,4})(?<value>[\w.~+/=-]{8,16384})/gi,
    isHarmless: (value) => !looksRandom(value),
    example: () => `Bearer ${filler(12)}`,
    masked: "Bearer ",
  },
  {
    id: "cookie-header",
    doc: "Cookies of a request or an answer",
    keywords: ["cookie:"],
    pattern:
      /(?<kept>\bcookie:\s{0,4})(?<value>[\w.%-]{1,128}=[^\s"';]{4,4096}(?:; ?[\w.%-]{1,128}=[^\s"';]{1,4096}){0,64})/gi,
    example: () => `Cookie: sid=${filler(20)}`,
    masked: "Cookie: ",
  },
  {
    id: "url-password",
    doc: "Password in an address: scheme://user:password@host",
    keywords: ["://", ":\\/", "jdbc:oracle"],
    pattern: new RegExp(
      String.raw`(?<kept>${schemeEnd}[^\s/:@"'<>()[\]*\\|]{0,256}:|jdbc:oracle:[a-z]{1,8}:[^\s/:@"']{1,64}\/)(?!\d{1,5}[?#])(?<value>[^\s/"'<>]{1,1024})(?=@)`,
      "g",
    ),
    example: () => `postgres://u:${"p"}@h/db`,
    masked: "postgres://u:@h/db",
  },
  {
    id: "url-password-slash",
    doc: "The same where the password has a slash in it",
    keywords: ["://"],
    pattern:
      /(?<kept>:\/\/[\w.-]{1,64}:)(?!\d{1,5}\/)(?<value>[^\s"'<>@:?#]{1,256})(?=@[\w.-]{1,255}(?::\d{1,5})?(?:[/\s"']|$))/g,
    example: () => `amqp://u:${"a/b"}@h/`,
    masked: "amqp://u:@h/",
  },
  {
    id: "url-token",
    doc: "Token in an address: https://token@host",
    keywords: ["://", ":\\/"],
    pattern: new RegExp(
      String.raw`(?<kept>${schemeEnd})(?<value>[\w-]{20,256})(?=(?::[^\s/@]{0,64})?@)`,
      "g",
    ),
    isHarmless: (value) => !looksRandom(value),
    example: () => `https://${filler(40)}@host/x.git`,
    masked: "https://@host/x.git",
  },
  {
    id: "signed-url",
    doc: "Signature in an address: Azure SAS, AWS and Google presigned",
    keywords: ["sig=", "signature="],
    pattern:
      /(?<kept>(?:[?&]|\\u0026)(?:sig|x-amz-signature|x-goog-signature)=)(?<value>[\w%+/=-]{20,4096})/gi,
    example: () => `https://h/b?sv=1&sig=${filler(43)}%3D`,
    masked: "https://h/b?sv=1&sig=",
  },
  {
    id: "password-hash",
    doc: "Hash of a password: bcrypt, Argon2, scrypt and the forms of /etc/shadow",
    keywords: ["$2", "$1$", "$5$", "$6$", "$y$", "$argon2", "$scrypt", "$pbkdf2"],
    pattern:
      /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[156y]\$[^\s:$]{1,64}\$(?:[^\s:$]{1,64}\$)?[./A-Za-z0-9]{22,256}|(?:argon2(?:id|i|d)|scrypt|pbkdf2[a-z0-9-]{0,16})\$(?:[^\s:$]{1,64}\$){1,4}[\w./+=-]{20,256})/g,
    example: () => `$2b$10$${filler(53)}`,
    masked: "",
  },
  {
    id: "netrc-password",
    doc: "Password in a .netrc",
    keywords: ["machine", "login"],
    pattern:
      /(?<kept>\b(?:login\s{1,8}\S{1,128}|machine\s{1,8}\S{1,255})\s{1,8}password\s{1,8})(?<value>\S{1,1024})/g,
    example: () => `machine h login u password ${filler(8)}`,
    masked: "machine h login u password ",
  },
  {
    id: "docker-auth",
    doc: "Credentials of a registry in Docker's config.json",
    keywords: ["auth", "identitytoken"],
    pattern: new RegExp(
      String.raw`(?<kept>"(?:auth|identitytoken)${quote}\s{0,4}:\s{0,4}${quote})(?<value>[A-Za-z0-9+/=._-]{8,16384})`,
      "g",
    ),
    isHarmless: (value) => !looksRandom(value) && !value.endsWith("="),
    example: () => `{"auths":{"h":{"auth":"${filler(24)}"}}}`,
    masked: '{"auths":{"h":{"auth":""}}}',
  },
  {
    id: "one-time-password",
    doc: "Seed of one-time passwords: otpauth://…?secret=…",
    keywords: ["otpauth:"],
    pattern: /(?<kept>otpauth:\/\/[^\s"'<>]{1,512}[?&]secret=)(?<value>[A-Z2-7a-z]{8,256}={0,6})/g,
    example: () => `otpauth://totp/a?secret=${filler(16, "JBSWY3DPEHPK")}`,
    masked: "otpauth://totp/a?secret=",
  },
];
