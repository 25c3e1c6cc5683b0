import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOne, refusal } from "./harness.cases.ts";

const webhook = (...lines: string[]) =>
  ["hooks:", "  - event: task.failed", "    type: webhook", ...lines.map((line) => `    ${line}`)].join("\n");
const env = { HOST: "a.example", KEY: "k$&1", EMPTY: "", HOME: "/root" };
const allowedVariables = ["HOST", "KEY", "EMPTY", "UNSET"];

test("an allowed variable is replaced in url, secret and headers, as it is", () => {
  const text = webhook(
    `url: https://\${HOST}/\${KEY}/\${HOST}`,
    `secret: "\${KEY}"`,
    `headers: { A: "x-\${KEY}", B: plain }`,
  );
  assert.deepEqual(parseOne(text, { env, allowedVariables }).action, {
    kind: "webhook",
    url: "https://a.example/k$&1/a.example",
    secret: "k$&1",
    previousSecret: null,
    isUnsigned: false,
    isRetryCap: false,
    retry: 3,
    maxAgeMs: 259_200_000,
    legacyPrefix: null,
    allowPrivate: [],
    headers: { A: "x-k$&1", B: "plain" },
    written: {
      url: `https://\${HOST}/\${KEY}/\${HOST}`,
      secret: `\${KEY}`,
      previousSecret: null,
      headers: { A: `x-\${KEY}`, B: "plain" },
    },
  });
});

test("what is replaced is not looked at again, and a lone $ or brace is a character", () => {
  const text = webhook("url: http://a", `secret: "\${A} $A \${A"`);
  const { action } = parseOne(text, { env: { A: `\${B}`, B: "b" }, allowedVariables: ["A"] });
  assert.equal(action.kind === "webhook" && action.secret, `\${B} $A \${A`);
});

test("the project's folder and the plugin's folder are left for the runner", () => {
  const text = webhook(`url: http://a/\${CLAUDE_PROJECT_DIR}`, `secret: "\${CLAUDE_PLUGIN_ROOT}"`);
  const { action } = parseOne(text, { env: { CLAUDE_PROJECT_DIR: "/p", CLAUDE_PLUGIN_ROOT: "/q" } });
  assert.deepEqual(action, {
    kind: "webhook",
    url: `http://a/\${CLAUDE_PROJECT_DIR}`,
    secret: `\${CLAUDE_PLUGIN_ROOT}`,
    previousSecret: null,
    isUnsigned: false,
    isRetryCap: false,
    retry: 3,
    maxAgeMs: 259_200_000,
    legacyPrefix: null,
    allowPrivate: [],
    headers: {},
  });
});

test("the user's file allows variables for itself, wherever in it that stands", () => {
  const text = `${webhook("url: http://a", `secret: "\${KEY}"`)}\nenv: { allow: [KEY] }\n`;
  const { action } = parseOne(text, { env });
  assert.equal(action.kind === "webhook" && action.secret, "k$&1");
});

const notListed = "which env.allow of the user's file does not list";

const refused: Readonly<Record<string, readonly [line: string, problem: string]>> = {
  "a variable that is not set": [
    `secret: "\${UNSET}"`,
    '4:13: secret uses the variable "UNSET", which is not set',
  ],
  "a variable that is set to nothing": [
    `secret: "a\${EMPTY}"`,
    '4:13: secret uses the variable "EMPTY", which is not set',
  ],
  "a variable that is not allowed": [
    `url: http://a/\${HOME}`,
    `4:10: url uses the variable "HOME", ${notListed}`,
  ],
  "a variable of a header that is not allowed": [
    `headers: { Authorization: "\${HOME}" }`,
    `4:14: header Authorization uses the variable "HOME", ${notListed}`,
  ],
  "a variable without a name": [`secret: "\${}"`, `4:13: secret uses the variable "", ${notListed}`],
  "a variable of every object": [
    `secret: "\${constructor}"`,
    `4:13: secret uses the variable "constructor", ${notListed}`,
  ],
};

for (const [says, [line, problem]] of Object.entries(refused)) {
  test(`${says} is refused, never taken for an empty text`, () => {
    const rest = line.startsWith("url:") ? [] : ["url: http://a"];
    assert.equal(
      refusal(webhook(line, ...rest), { env, allowedVariables }),
      `SWARM_CONFIG_VARIABLE swarm.yaml:${problem}`,
    );
  });
}

test("an address that a variable spoils is shown as written, without the variable's value", () => {
  const problem = refusal(webhook(`url: \${TOKEN}://a`), {
    env: { TOKEN: "hunter2" },
    allowedVariables: ["TOKEN"],
  });
  assert.equal(problem, `4:10: url is "\${TOKEN}://a", expected an http or https address`);
});

test("a variable cannot begin another header", () => {
  const problem = refusal(webhook("url: http://a", `headers: { A: "\${V}" }`), {
    env: { V: "x\r\nB: y" },
    allowedVariables: ["V"],
  });
  assert.equal(problem, "5:14: header A has a line break or control character");
});
