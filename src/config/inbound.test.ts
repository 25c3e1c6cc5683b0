import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfigText } from "./parse.ts";

const parse = (text: string, owner: "user" | "project" = "user") =>
  parseConfigText("config.yaml", text, { owner, env: { KEY: "whsec_AAAA" } });

test("a source has a secret, and its messages become a notification unless it says", () => {
  const text = `env: { allow: [KEY] }
inbound:
  relay: { secret: "\${KEY}" }
  ci: { secret: plain, previous_secret: older, event: task.created }
`;
  assert.deepEqual(parse(text).inbound, [
    { name: "relay", secret: "whsec_AAAA", previousSecret: null, event: "notification" },
    { name: "ci", secret: "plain", previousSecret: "older", event: "task.created" },
  ]);
  assert.deepEqual(parse("hooks: []").inbound, []);
});

const refused: Readonly<Record<string, readonly [text: string, problem: string]>> = {
  "no secret": [
    "inbound: { a: { event: notification } }",
    "1:15: the source has no secret, expected text; a number needs quotes",
  ],
  "a secret that is not usable, which is not shown": [
    "inbound: { a: { secret: whsec_hunter2- } }",
    "1:25: secret is not usable, expected base64 after whsec_",
  ],
  "an event that only we may tell of": [
    "inbound: { a: { secret: s, event: cron.fired } }",
    '1:35: event is "cron.fired", expected one that is not the system\'s own',
  ],
  "an event that does not exist": [
    "inbound: { a: { secret: s, event: nothing } }",
    '1:35: unknown event "nothing"',
  ],
  "a name that is no part of an address": [
    "inbound: { a/b: { secret: s } }",
    '1:12: the source "a/b" cannot be part of an address, expected letters, digits, _ and -, at most 64',
  ],
  "the secret of another source": [
    "inbound: { a: { secret: s }, b: { secret: s } }",
    "1:30: the source b has a secret that is also a's, expected one of its own: a message to one would be taken by both",
  ],
  "the secret another source had before, written in another way": [
    "inbound: { a: { secret: s, previous_secret: abc }, b: { secret: whsec_YWJj } }",
    "1:52: the source b has a secret that is also a's, expected one of its own: a message to one would be taken by both",
  ],
  "a list": ["inbound: [a]", "1:10: inbound is a list, expected a map of sources"],
};

for (const [what, [text, problem]] of Object.entries(refused)) {
  test(`${what} is refused, with its place`, () => {
    assert.throws(() => parse(text), { message: `config.yaml:${problem}` });
  });
}

test("a project's file has no say in who may send", () => {
  assert.throws(
    () => parse("inbound: { a: { secret: s } }", "project"),
    /belongs in the user's config\.yaml/,
  );
});
