import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Deviation, makeAuthenticator } from "./authenticator.cases.ts";
import { proofProblem } from "./check-proof.ts";
import { enrolmentText } from "./message.ts";
import { counterOf, readEnrolment } from "./passkey.ts";

const page = "http://localhost:7077";
const [own, other] = [makeAuthenticator(), makeAuthenticator()];

suite("a passkey's assertion", () => {
  test("is one over the text it was made for, on any port of localhost", async () => {
    assert.equal(await proofProblem(own.key, "text", own.assert("text")), null);
    const elsewhere = own.assert("text", { origin: "http://localhost:1" });
    assert.equal(await proofProblem(own.key, "text", elsewhere), null);
  });

  const deviations: Readonly<Record<string, Deviation>> = {
    "without the user having been verified": { flags: 0b001 },
    "without the user being present": { flags: 0b100 },
    "for another domain": { domain: "example.com" },
    "on another page": { origin: "https://example.com" },
    "on a page of a name that begins like ours": { origin: "http://localhost:7077.example.com" },
    "on a page at an address": { origin: "http://127.0.0.1:7077" },
    "as a registration": { type: "webauthn.create" },
  };
  for (const [how, deviation] of Object.entries(deviations))
    test(`is none when it was made ${how}`, async () => {
      assert.notEqual(await proofProblem(own.key, "text", own.assert("text", deviation)), null);
    });

  test("is none of another passkey, over another text, or with a part changed or left out", async () => {
    const proof = own.assert("text");
    const { client_data, authenticator_data, ...bare } = proof;
    const wrong = [
      other.assert("text"),
      { ...other.assert("text"), key_id: own.key.id },
      own.assert("other text"),
      { ...proof, client_data: own.assert("other text").client_data },
      { ...proof, authenticator_data: own.assert("text", { counter: 9 }).authenticator_data },
      { ...proof, signature: "" },
      { ...bare, client_data },
      { ...bare, authenticator_data },
      bare,
    ];
    for (const given of wrong) assert.notEqual(await proofProblem(own.key, "text", given), null);
  });

  test("says its counter", () => {
    assert.equal(counterOf(own.assert("text", { counter: 70_000 })), 70_000);
    assert.equal(counterOf({ key_id: "", signature: "", authenticator_data: "AA" }), 0);
  });
});

suite("a passkey's registration", () => {
  const text = enrolmentText(3, "phone");

  test("gives the key that was made for this revision and name, on this page", async () => {
    assert.deepEqual(await readEnrolment(own.register(text), "phone", 3, page), own.key);
  });

  test("gives none when anything else was registered", async () => {
    for (const given of [
      own.register(enrolmentText(2, "phone")),
      own.register(enrolmentText(3, "laptop")),
      own.register(text, { origin: "http://localhost:1" }),
      own.register(text, { origin: "http://127.0.0.1:7077" }),
      own.register(text, { domain: "example.com" }),
      own.register(text, { flags: 0b1000001 }),
      own.register(text, { type: "webauthn.get" }),
      {},
      null,
      "x",
    ])
      assert.equal(typeof (await readEnrolment(given, "phone", 3, page)), "string");
  });
});
