import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filler } from "./form.ts";
import { addKnownSecret, maskSecrets, secretForms } from "./mask.ts";

describe("every form is masked", () => {
  for (const { id, example, masked = "" } of secretForms) {
    test(id, () => {
      for (const [before, after] of [
        ["", ""],
        ["seen: ", " and on"],
        ["a\n", "\nb"],
      ] as const) {
        const shown = maskSecrets(`${before}${example()}${after}`);
        assert.ok(shown.includes("[redacted]"), shown);
        assert.equal(shown.replaceAll("[redacted]", ""), `${before}${masked}${after}`);
      }
    });
  }
});

test("ids of forms are used once", () => {
  const ids = secretForms.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
});

test("a token is found after an escaped line break, an encoded character and a terminal's color", () => {
  const token = `ghp_${filler(36)}`;
  for (const before of ["\\n", "%3D", "\u001b[32m", "\\u001b", "_", '"', "="]) {
    assert.equal(maskSecrets(`x${before}${token}`), `x${before}[redacted]`);
  }
});

test("a password is found however the line is written", () => {
  const lines = [
    "curl -u me:hunter2 h",
    "curl -sSu 'me:hunter2' h",
    "curl -H 'a;b|c' --user me:hunter2 h",
    'curl -d "x;" \\\n --user=me:hunter2 h',
    "mysql -uroot -p'hunter2' db",
    "mysql -phunter2",
    "sshpass -phunter2 ssh h",
    "docker login -p hunter2 -u x",
    "tool --db-password 'hunter2 x'",
    "tool --password swordfish-hunter2",
    "postgres://u:hunter2@h/db",
    "redis://:hunter2@h",
    '{"password": "hunter2"}',
    '{\\"password\\": \\"hunter2\\"}',
    "db_password = hunter2",
    "MYSQL_PWD=hunter2",
    "DB_PASS=hunter2",
    "https://h/x?token=hunter2&a=b",
    '"Authorization": "Bearer hunter2"',
    "X-Api-Key: hunter2",
    "//registry.example/:_authToken=hunter2",
    "Server=x;Pwd=hunter2;",
    "Cookie: sid=hunter2hunter2; b=hunter2",
    "$env:API_TOKEN = 'hunter2'",
    "--from-literal=password=hunter2",
    "kubectl create secret generic x --from-literal=key=hunter2",
    "curl -u 'user':'hunter2' h",
    '{"cmd":"curl -u \\"me:hunter2\\" h"}',
    `curl -d "${"x".repeat(200_000)}" -u me:hunter2 h`,
    "http -a me:hunter2 GET h",
    "docker login -u x -phunter2 h",
    "twine upload -p hunter2 dist/*",
    "mosquitto_pub -u me -P hunter2 -t x",
    "lftp -u me,hunter2 h",
    "sqlplus me/hunter2@db",
    "xfreerdp /u:me /p:hunter2 /v:h",
    "influx -username me -password hunter2",
    "tool --pass hunter2 --pw=hunter2",
    "setenv API_TOKEN hunter2",
    "npm config set //r/:_authToken hunter2",
    "aws configure set aws_secret_access_key hunter2",
    "nmcli dev wifi connect home password hunter2",
    "echo 'me:hunter2' | sudo chpasswd",
    "requirepass hunter2",
    "proxy_password hunter2;",
    "jdbc:oracle:thin:me/hunter2@//h:1521/x",
    "postgres:\\/\\/u:hunter2@h\\/db",
    "amqp://u:hunter2/x@h/",
    "<password>hunter2</password>",
    '<add key="ClearTextPassword" value="hunter2" />',
    "'password' => 'hunter2'",
    'password = "hunter2"',
    '{"password": "correct horse hunter2"}',
    '{"access_token":"hunter2"}',
    '"authorization": ["Bearer hunter2"]',
    "machine h password hunter2 login u",
    'psk="hunter2hunter2"',
    "otpauth://totp/a?secret=hunter2hunter2",
    "git -c http.extraheader='AUTHORIZATION: basic hunter2' fetch",
  ];
  for (const line of lines) {
    const shown = maskSecrets(line);
    assert.ok(shown.includes("[redacted]") && !shown.includes("hunter2"), `${line} → ${shown}`);
  }
});

test("a private key is masked however it is shown", () => {
  const [begin, end] = [`-----BEGIN ${"RSA PRIVATE"} KEY-----`, `-----END ${"RSA PRIVATE"} KEY-----`];
  const body = filler(64);
  const shown = [
    `${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,01\n\n${body}\n${end}`,
    JSON.stringify({ key: `${begin}\n${body}\n${body}\n${end}\n` }),
    JSON.stringify(JSON.stringify({ key: `${begin}\n${body}\n${end}` })),
    `+${begin}\n+${body}\n+${end}`,
    `     1\t${begin}\n     2\t${body}\n     3\t${end}`,
    `${begin}<br>${body}<br>${end}`,
    `\u001b[31m${begin}\n\u001b[32m${body}\u001b[0m\n${end}`,
    `${begin}\n${body}\n${body}`,
    `${body}\n${body}\n${end}`,
    `  7→${body}\n  8→${body}\n${end}`,
    JSON.stringify(`cut ${body}\n${body}\n${end}`).replace(`cut ${body}`, ""),
    `---- BEGIN SSH2 ENCRYPTED ${"PRIVATE"} KEY ----\n${body}\n---- END SSH2 ENCRYPTED ${"PRIVATE"} KEY ----`,
  ];
  for (const text of shown) assert.ok(!maskSecrets(text).includes(body), `${text} → ${maskSecrets(text)}`);
});

test("a mention of a private key is none", () => {
  const [begin, end] = [`-----BEGIN ${"PRIVATE"} KEY-----`, `-----END ${"PRIVATE"} KEY-----`];
  const code = `const isKey = text.startsWith("${begin}") && text.endsWith("${end}");\nreturn isKey;`;
  assert.equal(maskSecrets(code), code);
  assert.equal(maskSecrets(`it ends with ${end}`), `it ends with ${end}`);
});

test("a token is found in an escaped address and in JSON in JSON", () => {
  const hook = `hooks.slack.com/services/T00000000/B00000000/${filler(24)}`;
  for (const text of [hook, hook.replaceAll("/", "\\/"), encodeURIComponent(hook)])
    assert.ok(!maskSecrets(text).includes(filler(24)), text);
  const token = `glpat-${filler(20)}`;
  let text = `\n${token}\t`;
  for (let depth = 0; depth < 3; depth++) {
    text = JSON.stringify({ text });
    assert.ok(!maskSecrets(text).includes(token), text);
  }
});

test("of a password with @ in it nothing is left", () => {
  assert.equal(maskSecrets("git clone https://a:p@ss@h/x"), "git clone https://a:[redacted]@h/x");
});

test("what only looks like a secret, refers to one, or is about one stays", () => {
  const digits = "0123456789abcdef".repeat(4);
  const lines = [
    `commit ${digits.slice(0, 40)}`,
    digits,
    "550e8400-e29b-41d4-a716-446655440000",
    `"integrity": "sha512-${filler(86)}=="`,
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${filler(400)}`,
    "docker login -u me --password-stdin",
    "deploy --token $TOKEN --password=$PW",
    `token: $${"{{ secrets.GITHUB_TOKEN }}"}`,
    `token: '$${"{{ secrets.X1 }}"}'`,
    "interface A { token: string; secret?: string }",
    "const token = await getToken2();",
    "def f(password=None, token=None):",
    "connect(password=settings.db_password, api_key=os.environ['X1'])",
    "max_tokens=400 tokens=3 tokenizer: gpt2bpe1",
    "https://host:8080/a@b ssh://git@host/x git@host.example:a/b.git http://h:80?x=a@b",
    "TOKEN_URL=https://h/x1 PASSWORD_FILE=/run/secrets/pw1 token_type: oauth2bearer",
    "task-abcdefghijklmnopqrstuvwxyz risk-adjusted-return-on-capital",
    "Use --token to log in; -p, --password string   Password; --token TOKEN; --api-key <KEY>",
    "docker run -p 8080:80 x; docker exec -u 1000:1000 c sh; cp -p a b; mysql -P 3306 -p",
    "Bearer authentication is used: Authorization: Bearer $TOKEN",
    "npm_config_registry=x npm_lifecycle_event hf_hub_download sk-learn",
    "SORT_KEY=created_at PRIMARY_KEY=id",
    'curl -u "$USER:$PASS" https://h:8443/x',
    "password: ******** AccountKey=<key> password=",
    "password: Uint8Array, salt: Uint8Array; STENCIL_PASS_DEPTH_PASS: 0x0B96; token = parts[1]; token: r2.access_token",
    "this.baseTokenPos=-1},l.srcToken=a),i.credentials=t.credentials;E[E.Unexpected_token=1012]",
    '{"password": "Password", "api_key": "Enter your API key", "secret": "<secret>"}',
    'label: "Password", placeholder: "Your password", passwordError: "Password is too short"',
    "authorization: req.header('authorization'), 'Waiting for authorization': 'please wait'",
    "GOOGLE_APPLICATION_CREDENTIALS=/home/me/key.json TOKEN=$(cat ~/.token) OPENAI_API_KEY=sk-xxxxxxxx",
    "/^(?:https?|ftp):\\/\\/(?:\\S+(?::\\S*)?@)?/",
    "verilog-sk-prompt-condition const TOKEN_CHARS = 'a-zA-Z0-9_'",
    `"resolved": "https://registry.example/a/-/a-1.0.0.tgz#${digits.slice(0, 40)}"`,
    `h1:${filler(43)}= github.com/a/b v1.2.3/go.mod h1:${filler(43)}=`,
    `sha256:${digits} @sha256-${filler(43)}= etag: W/"${digits.slice(0, 32)}"`,
    `!function(e,t){"use strict";var n=e.token,r=t.secret||null;for(var i=0;i<n.length;i++)r=n[i].password}`,
  ];
  for (const line of lines) assert.equal(maskSecrets(line), line);
});

test("what hides a secret from a pattern does not keep it from being masked", () => {
  const rest = filler(36);
  const [head, tail] = [rest.slice(0, 17), rest.slice(17)];
  const basic = "curl \\\n  -u \\\n me:hunter2tail h";
  const texts: readonly (readonly [text: string, secret: string])[] = [
    [`ghp_\u001b[1m${rest}`, rest],
    [`ghp_${head}\u001b[0;31m${tail}`, tail],
    [`ghp_${head}\u001b]8;;x\u0007${tail}`, tail],
    [`ghp_${head}\u200b${tail}`, tail],
    ["password\u001b[0m: \u001b[32mhunter2Tail9\u001b[0m", "hunter2Tail9"],
    [`ghp\\u005f${rest}`, rest],
    ["PASSWORD\\u003dhunter2tail", "hunter2tail"],
    ["body=%7B%22password%22%3A%22hunter2tail%22%7D", "hunter2tail"],
    ["&quot;password&quot;:&quot;hunter2tail&quot;", "hunter2tail"],
    ["&#34;password&#34;:&#34;hunter2tail&#34;", "hunter2tail"],
    ["export TOKEN=\\\nhunter2Tail9", "hunter2Tail9"],
    [basic, "hunter2tail"],
  ];
  for (const [text, secret] of texts) assert.ok(!maskSecrets(text).includes(secret), JSON.stringify(text));
  // A text that hides nothing keeps its colors and escapes.
  for (const text of ["\u001b[31mtoken\u001b[0m: string", "a%20b &amp; c \\u0026 \u200b", "ls \\\n -l"])
    assert.equal(maskSecrets(text), text);
});

test("a quoted value ends at the mark that opened it", () => {
  const values = ["don't-tell-9", 'say "x" tell-9', "back\\slash tell-9", "two\\\\ tell-9"];
  for (const value of values) {
    let text = JSON.stringify({ password: value, b: "kept" });
    for (const _ of [1, 2]) {
      const masked = maskSecrets(text);
      assert.ok(!masked.includes("tell-9") && masked.includes("kept"), masked);
      text = JSON.stringify(text);
    }
  }
});

test("variables in a list, blocks of YAML and further commands", () => {
  const texts = [
    "- name: DB_PASSWORD\n  value: hunter2Tail9",
    '{"name":"DB_PASSWORD","value":"hunter2Tail9"}',
    '{ "Key": "db.password",\n  "Value": "hunter2Tail9" }',
    "password: >-\n  hunter2Tail9\n",
    "CREATE USER a IDENTIFIED BY 'hunter2Tail9'",
    "create user a identified with caching_sha2_password by 'hunter2Tail9'",
    "ALTER ROLE a WITH ENCRYPTED PASSWORD 'hunter2Tail9'",
    "setx API_TOKEN hunter2Tail9",
    "echo hunter2Tail9 | sudo -S ls",
    'printf "hunter2Tail9" | sudo -k -S ls',
  ];
  for (const text of texts) assert.ok(!maskSecrets(text).includes("hunter2Tail9"), text);
  const innocent = [
    "PWD=/home/me/project OLDPWD=~/a pwd=./x",
    "next_page_token=abc&limit=3 continuation-token=2",
    "Authorization: Basic auth is disabled",
    '<div class="sk-toggleable__control sk-estimator-doc-link">',
    "- name: DB_PASSWORD\n  valueFrom: { secretKeyRef: { name: db1, key: password1 } }",
    "- name: token\n  value: string",
    "echo done | sudo tee /etc/x1",
  ];
  for (const text of innocent) assert.equal(maskSecrets(text), text);
});

test("a value that was named is masked wherever it stands, a short one is not taken", () => {
  const own = filler(43, "zyxwvu");
  addKnownSecret(own);
  addKnownSecret("short");
  assert.equal(maskSecrets(`a short text with ${own}.`), "a short text with [redacted].");
});

test("the same forms as bytes in an image are no secrets", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let state = 7;
  const image = Array.from({ length: 2_000_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return alphabet[(state >>> 16) % 64];
  }).join("");
  assert.equal(maskSecrets(image), image);
});

test("masking what is masked changes nothing", () => {
  for (const { example } of secretForms) {
    const once = maskSecrets(`a ${example()} b`);
    assert.equal(maskSecrets(once), once);
  }
});

const meanTexts = [
  ...secretForms.flatMap(({ keywords, example }) => [...keywords, example().slice(0, 12)]),
  ...'eyJa|token|a=token|://a:|://|password="|-|curl \'|curl "|curl -u a:|docker login |docker login -p '.split(
    "|",
  ),
  ..."-----BEGIN PRIVATE KEY-----|$1$a|Cookie: a=b; |htpasswd -b a |login a password |curl \\|machine a ".split(
    "|",
  ),
];

test("the time grows with the length of the text, not with its square", () => {
  for (const part of new Set(meanTexts)) {
    const text = part.repeat(Math.ceil(4_000 / part.length));
    const few = cpuMicroseconds(() => maskSecrets(text.repeat(4)));
    const many = cpuMicroseconds(() => maskSecrets(text.repeat(32)));
    // Eight times the text: a square would take 64 times as long.
    assert.ok(many < 30 * Math.max(few, 1_000), `${JSON.stringify(part)}: ${few} µs, then ${many} µs`);
  }
});

test("every repetition in a pattern has an upper bound, because an unbounded one needs a stack as large as the text", () => {
  for (const { id, pattern, within } of secretForms) {
    for (const { source } of [pattern, ...(within === undefined ? [] : [within.pattern])]) {
      const plain = source.replaceAll(/\\./g, "e").replaceAll(/\[[^\]]*\]/g, "c");
      assert.ok(!/[*+]|\{\d+,\}/.test(plain), `${id}: ${source}`);
    }
  }
});

test("the largest text that is taken is masked, whatever it is made of", () => {
  const length = 8 * 1024 * 1024;
  const token = `ghp_${filler(36)}`;
  const walls = [
    ['curl "', "a"],
    ["-----BEGIN PRIVATE KEY-----", "a\n"],
    ["eyJ", "a"],
    ["ghp_", "a"],
    ["docker login ", "a "],
    ['password="', "a"],
  ] as const;
  for (const [start, wall] of walls) {
    const text = `${token} ${start}${wall.repeat(length / wall.length)} ${token}`;
    assert.ok(!maskSecrets(text).includes(token), start);
  }
});

function cpuMicroseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
