import { filler, type SecretForm } from "./form.ts";
import { isHelpText } from "./placeholder.ts";

/** A word of a command line, quoted or not. */
const argument = String.raw`(?<value>"[^"\n]{1,4096}"?|'[^'\n]{1,4096}'?|[^\s"'\x60;|&()]{1,4096})`;

/**
 * The rest of a command, quotes included: what follows a program's name until the command ends. Nothing comes after it in
 * a pattern, so that it is read once.
 */
const restOfCommand = String.raw`(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\n;|&"'\\])*`;

/** Programs that take a password as an argument, and after what. */
interface Program {
  readonly names: string;
  /** What stands right before the password. */
  readonly before: RegExp;
  readonly example: string;
}

const programs: readonly Program[] = [
  {
    names: "curl|wget|xh|https?",
    before: /\s(?:-[a-zA-Z]*[uU]|--user|--proxy-user)[\s=]*["']?[^\s:"'$]{0,128}:/,
    example: "curl -u me:",
  },
  {
    names: "mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli",
    before: /\s-p(?=[^\s])/,
    example: "mysql -h db -p",
  },
  { names: "sshpass", before: /\s-p\s*/, example: "sshpass -p " },
  { names: "redis-cli|valkey-cli", before: /\s-a\s+/, example: "redis-cli -a " },
  {
    names: "mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport",
    before: /\s-p\s+/,
    example: "mongosh -u me -p ",
  },
  {
    names: "docker|podman|nerdctl|buildah|skopeo|helm|oras|az|oc",
    before: /(?<=\blogin\b.{0,500})\s-p\s+/,
    example: "docker login -u me -p ",
  },
  {
    names: "ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldappasswd",
    before: /\s-w\s*/,
    example: "ldapsearch -D cn=me -w ",
  },
  {
    names: "smbclient|rpcclient|smbget",
    before: /\s-U\s*["']?[^\s%"']{1,128}%/,
    example: "smbclient //h/s -U me%",
  },
  { names: "sqlcmd|bcp|isql|tsql|zip|unzip", before: /\s-P\s*/, example: "sqlcmd -U me -P " },
  { names: "7z|7za|7zz|rar|unrar", before: /\s-p(?=[^\s])/, example: "7z x a.7z -p" },
  { names: "openssl", before: /\bpass:/, example: "openssl rsa -passin pass:" },
  {
    names: "keytool|jarsigner",
    before: /\s-(?:store|key|src|dest)+pass\s+/,
    example: "keytool -list -storepass ",
  },
  {
    names: "htpasswd",
    before: /\s-[a-zA-Z]*b[a-zA-Z]*\s+(?:-[a-zA-Z]+\s+)*\S{1,256}\s+[^\s-]\S{0,256}\s+/,
    example: "htpasswd -b f me ",
  },
];

function program({ names, before, example }: Program): SecretForm {
  const inCommand = new RegExp(`(?<kept>${before.source})${argument}`, "g");
  const first = names.replaceAll(/\?/g, "").split("|");
  return {
    id: `command-${first[0]}`,
    doc: `Password in the arguments of ${first.join(", ")}`,
    keywords: first,
    pattern: new RegExp(String.raw`(?<![\w.-])(?:${names})(?=\s)${restOfCommand}`, "g"),
    within: { pattern: inCommand, isHarmless: isHelpText },
    example: () => `${example}${filler(10)}`,
    masked: example,
  };
}

export const commandForms: readonly SecretForm[] = [
  ...programs.map(program),
  {
    id: "command-option",
    doc: "--password value, --token value and the like",
    keywords: ["--"],
    pattern: new RegExp(
      String.raw`(?<kept>--(?:[a-z]+-){0,4}(?:password|passwd|passphrase|token|secret|secret-key|api-?key|access-key|private-key|credential)(?:\s{1,4}))(?!-)${argument}`,
      "gi",
    ),
    isHarmless: isHelpText,
    example: () => `deploy --auth-token ${filler(10)} --dry`,
    masked: "deploy --auth-token  --dry",
  },
];
