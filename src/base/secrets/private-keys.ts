import { filler, type SecretForm } from "./form.ts";

/** A body without that many characters in a row is a mention of a key, not a key. */
const keyCharacters = /[A-Za-z0-9+/]{30}/;

/** Of a key that is cut off at the front only the end tells what it was. */
const endOfKey = "-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----";

export const privateKeyForms: readonly SecretForm[] = [
  {
    id: "private-key",
    doc: "Private key in PEM, OpenSSH, SSH2 or PGP armor",
    keywords: ["PRIVATE KEY"],
    // Between its two lines anything may stand: line numbers, colors, escaped line breaks, headers.
    pattern:
      /-{4,5} ?BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?!---- ?(?:BEGIN|END))[\s\S]){0,65536}-{4,5} ?END[ A-Z0-9]{0,60}-{4,5}/g,
    isHarmless: (whole) => !keyCharacters.test(whole),
    example: () => `-----BEGIN ${"RSA PRIVATE"} KEY-----\n${filler(64)}\n-----END ${"RSA PRIVATE"} KEY-----`,
    masked: "",
  },
  {
    id: "private-key-begin",
    doc: "The beginning of a private key whose end is cut off",
    keywords: ["PRIVATE KEY"],
    // What a key's lines are made of, with the numbers, arrows and escaped line breaks that tools put between them.
    pattern:
      /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[A-Za-z0-9+/=\s\\:,"'|>\u2192-]){0,65536}/g,
    isHarmless: (whole) => !keyCharacters.test(whole),
    example: () => `-----BEGIN ${"EC PRIVATE"} KEY-----\n${filler(40)}…`,
    masked: "…",
  },
  {
    id: "private-key-end",
    doc: "The end of a private key whose beginning is cut off",
    keywords: ["PRIVATE KEY"],
    pattern: new RegExp(endOfKey, "g"),
    startOf: startOfLines,
    example: () => `…\n${filler(64)}\n${filler(20)}=\n-----END ${"RSA PRIVATE"} KEY-----`,
    masked: "…\n",
  },
  {
    id: "private-key-base64",
    doc: "The same in base64, as in a kubeconfig, and the body of an OpenSSH key",
    keywords: ["LS0tLS1CRUdJTi", "b3BlbnNzaC1rZXktdjEA"],
    pattern:
      /(?:LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,40}(?:UFJJVkFURS|BSSVZBVE|QUklWQVRF)|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/=]{0,65536}/g,
    example: () => `b3BlbnNzaC1rZXkt${"djEA"}${filler(64)}`,
    masked: "",
  },
  {
    id: "putty-key",
    doc: "Private lines of a PuTTY key file",
    keywords: ["Private-Lines:"],
    pattern:
      /(?<kept>Private-Lines: \d{1,4}(?:\r?\n|\\n))(?<value>(?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\n|$)){1,400})/g,
    example: () => `Private-Lines: 1\n${filler(44)}\nPrivate-MAC:`,
    masked: "Private-Lines: 1\nPrivate-MAC:",
  },
];

const maxLines = 2_000;

/** Goes back over the lines above that are a key's: base64, with what tools put before each line. */
function startOfLines(text: string, at: number): number {
  let start = at;
  for (let lines = 0; lines < maxLines; lines++) {
    const above = text.slice(Math.max(0, start - 200), start);
    const line =
      /(?:^|[\n"'>]|\\n)((?:[^\n]{0,16}[ \t|\u2192])?[A-Za-z0-9+/]{4,76}={0,2}(?:\r?\n|\\n|\\r\\n|<br>))$/.exec(
        above,
      );
    if (line?.[1] === undefined) return start;
    start -= line[1].length;
  }
  return start;
}
