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
  ];
  for (const line of lines) {
    const shown = maskSecrets(line);
    assert.ok(shown.includes("[redacted]") && !shown.includes("hunter2"), `${line} → ${shown}`);
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
  ];
  for (const line of lines) assert.equal(maskSecrets(line), line);
});

test("a value that was named is masked wherever it stands, a short one is not taken", () => {
  const own = filler(43, "zyxwvu");
  addKnownSecret(own);
  addKnownSecret("short");
  assert.equal(maskSecrets(`a short text with ${own}.`), "a short text with [redacted].");
});

test("masking what is masked changes nothing", () => {
  for (const { example } of secretForms) {
    const once = maskSecrets(`a ${example()} b`);
    assert.equal(maskSecrets(once), once);
  }
});

test("the time grows with the length of the text, not with its square", () => {
  const parts = secretForms.flatMap(({ keywords, example }) => [...keywords, example().slice(0, 12)]);
  const mean = [
    ...new Set(parts),
    ...[
      "eyJa",
      "token",
      "a=token",
      "://a:",
      "://",
      'password="',
      "-",
      "curl '",
      'curl "',
      "curl -u a:",
      "docker login ",
    ],
    ..."-----BEGIN PRIVATE KEY-----|$1$a|Cookie: a=b; |htpasswd -b a |login a password ".split("|"),
  ];
  for (const part of mean) {
    const text = part.repeat(Math.ceil(4_000 / part.length));
    const few = cpuMicroseconds(() => maskSecrets(text.repeat(4)));
    const many = cpuMicroseconds(() => maskSecrets(text.repeat(32)));
    // Eight times the text: a square would take 64 times as long.
    assert.ok(many < 30 * Math.max(few, 1_000), `${JSON.stringify(part)}: ${few} µs, then ${many} µs`);
  }
});

function cpuMicroseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
