import { filler, quote, type SecretForm } from "./form.ts";
import { isHelpText } from "./placeholder.ts";

/** A word of a command line, quoted or not. */
const argument = String.raw`(?<value>\\{0,3}"[^"\n]{1,4096}"?|\\{0,3}'[^'\n]{1,4096}'?|[^\s"'\x60;|&()]{1,4096})`;

/** Programs that take a password as an argument, and after what. */
interface Program {
  readonly names: string;
  /** The source of a pattern for what stands right before the password. */
  readonly before: string;
  /** A command without this takes none. */
  readonly needs?: RegExp;
  readonly example: string;
}

/** Blanks between words; more of them than this is no command line. */
const blanks = String.raw`\s{1,8}`;
const maybeBlanks = String.raw`\s{0,8}`;

const programs: readonly Program[] = [
  {
    names: "curl|wget|xh|http|https|httpie",
    before: String.raw`\s(?:-[a-zA-Z]{0,16}[uUa]|--user|--proxy-user|--auth)[\s=]{0,8}(?:${quote})?[^\s:"'$]{0,128}(?:${quote})?:`,
    example: "curl -u me:",
  },
  {
    names: "mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli|mysqlsh",
    before: String.raw`\s-p(?=[^\s])`,
    example: "mysql -h db -p",
  },
  { names: "sshpass", before: String.raw`\s-p${maybeBlanks}`, example: "sshpass -p " },
  { names: "redis-cli|valkey-cli|keydb-cli", before: String.raw`\s-a${blanks}`, example: "redis-cli -a " },
  {
    names: "mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|twine|rabbitmqadmin",
    before: String.raw`\s-p${blanks}`,
    example: "mongosh -u me -p ",
  },
  {
    names: "docker|podman|nerdctl|buildah|skopeo|helm|oras|az|oc|crane",
    needs: /\slogin\s/,
    before: String.raw`\s-p(?:${blanks}|(?=[^\s=-]))`,
    example: "docker login -u me -p ",
  },
  {
    names: "ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldappasswd",
    before: String.raw`\s-w${maybeBlanks}`,
    example: "ldapsearch -D cn=me -w ",
  },
  {
    names: "smbclient|rpcclient|smbget",
    before: String.raw`\s-U${maybeBlanks}(?:${quote})?[^\s%"']{1,128}%`,
    example: "smbclient //h/s -U me%",
  },
  {
    names: "sqlcmd|bcp|isql|tsql|zip|unzip|mosquitto_pub|mosquitto_sub",
    before: String.raw`\s-P${maybeBlanks}`,
    example: "sqlcmd -U me -P ",
  },
  {
    names: "lftp|ncftpget|ncftpput",
    before: String.raw`\s-u${maybeBlanks}(?:${quote})?[^\s,"']{1,128},`,
    example: "lftp -u me,",
  },
  {
    names: "sqlplus|expdp|impdp|sqlldr|rman",
    before: String.raw`\s(?:${quote})?[\w$#-]{1,64}\/`,
    example: "sqlplus me/",
  },
  {
    names: "xfreerdp|rdesktop|wfreerdp",
    before: String.raw`\s(?:\/p:|-p${blanks})`,
    example: "xfreerdp /v:h /p:",
  },
  {
    names: "kubectl|oc",
    needs: /\screate\s{1,8}secret\s/,
    before: String.raw`--from-literal[=\s](?:${quote})?[\w.-]{1,253}=`,
    example: "kubectl create secret generic a --from-literal=key=",
  },
  { names: "7z|7za|7zz|rar|unrar", before: String.raw`\s-p(?=[^\s])`, example: "7z x a.7z -p" },
  {
    names: "openssl",
    before: String.raw`(?:\bpass:|\s-k${blanks})`,
    example: "openssl rsa -passin pass:",
  },
  {
    names: "keytool|jarsigner",
    before: String.raw`\s-(?:store|key|src|dest){1,3}pass${blanks}`,
    example: "keytool -list -storepass ",
  },
  {
    names: "htpasswd",
    before: String.raw`\s-[a-zA-Z]{0,8}b[a-zA-Z]{0,8}${blanks}(?:-[a-zA-Z]{1,8}${blanks}){0,8}\S{1,256}${blanks}[^\s-]\S{0,256}${blanks}`,
    example: "htpasswd -b f me ",
  },
];

function program({ names, before, needs, example }: Program): SecretForm {
  const first = names.split("|");
  return {
    id: `command-${first[0]}`,
    doc: `Password in the arguments of ${first.join(", ")}`,
    keywords: first,
    pattern: new RegExp(String.raw`(?<![\w.-])(?:${names})(?=\s)`, "g"),
    within: {
      ...(needs && { needs }),
      pattern: new RegExp(`(?<kept>${before})${argument}`, "g"),
      isHarmless: isHelpText,
    },
    example: () => `${example}${filler(10)}`,
    masked: example,
  };
}

const secretOption =
  "(?:password|passwd|passphrase|token|secret|secret-key|api-?key|access-key|private-key|credential|oauth2-bearer)";

/** `-pass` and `--pw` are also the beginning of other words: a value that follows has to be one. */
const shortOption = "(?:pass|pw|pwd)";

export const commandForms: readonly SecretForm[] = [
  ...programs.map(program),
  {
    id: "sql-password",
    doc: "Password of a user in SQL: IDENTIFIED BY '…', WITH PASSWORD '…'",
    keywords: ["identified", "password"],
    pattern:
      /(?<kept>\b(?:identified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?by|(?:with|encrypted|login|set)\s{1,4}password)\s{1,4}(?:=\s{0,4})?(?<open>\\{0,3}['"]))(?<value>[^'"\n]{1,256})(?=\k<open>)/gi,
    example: () => `ALTER USER me WITH PASSWORD '${filler(10)}'`,
    masked: "ALTER USER me WITH PASSWORD ''",
  },
  {
    id: "command-option",
    doc: "--password value, -password value, --token value and the like",
    keywords: ["pass", "token", "secret", "key", "credential", "-pw", "oauth2-bearer"],
    pattern: new RegExp(
      String.raw`(?<kept>(?<![\w-])--?(?:[a-z]{1,24}-){0,4}(?:${secretOption}\s{1,4}|${shortOption}[\s=]\s{0,3}))(?![-=|])${argument}`,
      "gi",
    ),
    isHarmless: isHelpText,
    example: () => `deploy --auth-token ${filler(10)} --dry`,
    masked: "deploy --auth-token  --dry",
  },
  {
    id: "command-set",
    doc: "A secret that a program is given to keep: setenv NAME value, npm config set NAME value, aws configure set",
    keywords: ["setenv", "setx", "config", "requirepass", "wifi"],
    pattern: new RegExp(
      String.raw`(?<kept>(?<![\w-])(?:(?:setenv|setx|config(?:ure)?\s{1,4}set)\s{1,4}[^\s=]{0,128}(?:secret|token|passw(?:or)?d|_auth|api_?key|access_key)\s{1,4}|requirepass\s{1,4}|wifi\s{1,4}connect\s[^\n]{1,128}\spassword\s{1,4}))${argument}`,
      "gi",
    ),
    isHarmless: isHelpText,
    example: () => `npm config set //r/:_authToken ${filler(10)}`,
    masked: "npm config set //r/:_authToken ",
  },
  {
    id: "command-sudo",
    doc: "Password that sudo -S reads",
    keywords: ["sudo"],
    pattern: new RegExp(
      String.raw`(?<kept>\b(?:echo|printf)\s{1,4}(?:-[ne]{1,2}\s{1,4})?(?:${quote})?)(?<value>[^\s"'|]{1,256})(?=[^\n|]{0,16}\|\s{0,4}sudo\s(?:[^\n|;]{0,64}\s)?(?:-[A-Za-z]{0,8}S|--stdin)\b)`,
      "g",
    ),
    example: () => `echo '${filler(10)}' | sudo -S ls`,
    masked: "echo '' | sudo -S ls",
  },
  {
    id: "command-chpasswd",
    doc: "name:password that chpasswd reads",
    keywords: ["chpasswd"],
    pattern: new RegExp(
      String.raw`(?<kept>\b(?:echo|printf)\s{1,4}(?:${quote})?[\w.-]{1,64}:)(?<value>[^\s"'|]{1,256})(?=[^\n|]{0,16}\|\s{0,4}(?:sudo\s{1,4})?chpasswd\b)`,
      "g",
    ),
    example: () => `echo 'me:${filler(10)}' | chpasswd`,
    masked: "echo 'me:' | chpasswd",
  },
];
