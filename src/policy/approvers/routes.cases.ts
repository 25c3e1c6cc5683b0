import assert from "node:assert/strict";
import { generateKeyPairSync, hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { makeAuthenticator } from "./authenticator.cases.ts";
import {
  type ApproverAction,
  changeText,
  type DecisionMessage,
  decisionText,
  enrolmentText,
  type Proof,
  subjectToSign,
} from "./message.ts";
import { makeKey, signWith } from "./sign.ts";
import { openApp } from "../../daemon/server/harness.cases.ts";

interface Waiting {
  readonly id: string;
  readonly change: ApproverAction;
  readonly revision: number;
}
interface Listed {
  readonly require: string;
  readonly keys: readonly { readonly name: string; readonly kind: string }[];
  readonly waiting: readonly Waiting[];
  readonly page: string;
}
interface Answer {
  readonly code?: string;
  readonly detail?: string;
  readonly waiting?: Waiting | null;
}
interface Asked {
  readonly id: string;
  readonly intent_id: string;
  readonly digest: string;
  readonly subject: Readonly<Record<string, unknown>>;
}
type Sign = (text: string) => Proof;

const config = `approvals: { require: person }
policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
`;
const ada = makeKey("ada");
const byAda: Sign = (text) => signWith(ada.privateKey, ada.key.id, text);

/** The operations on approvers' keys, as part of the tests of all operations. */
export function approverRouteCases(): void {
  suite("approvers", () => {
    async function open(t: TestContext) {
      const opened = await openApp(t, undefined, {}, "http://127.0.0.1:7077");
      writeFileSync(join(opened.home, "config.yaml"), config);
      const { call, runtime } = opened;
      const change = async (body: object) =>
        (await call<Answer>("POST", "/api/v1/approvers/changes", body)).body;
      const addAda = () => change({ action: "add", name: "ada", public_key: ada.key.public_key });
      const list = async () => (await call<Listed>("GET", "/api/v1/approvers")).body;
      const confirm = async ({ id, change, revision }: Waiting, sign: Sign, keyId = ada.key.id) => {
        const decided_at = new Date().toISOString();
        const signature = sign(changeText({ revision, change, decided_at, key_id: keyId }));
        const path = `/api/v1/approvers/changes/${id}/confirmation`;
        return (await call<Answer>("POST", path, { decided_at, signature })).body;
      };
      const ask = async (command = "git push") => {
        const data = { tool_name: "Bash", tool_input: { command } };
        await runtime.events.emit({ event: "tool.before", data, origin: { cwd: opened.cwd } });
        const path = "/api/v1/approvals?status=pending&limit=1";
        const { items } = (await call<{ items: readonly Asked[] }>("GET", path)).body;
        return items[0] ?? assert.fail("nothing is asked");
      };
      const approve = async ({ id, intent_id, digest, subject }: Asked, keyId: string, sign: Sign) => {
        const decided_at = new Date().toISOString();
        const expires_at = new Date(Date.now() + 60_000).toISOString();
        const message: DecisionMessage = {
          ...{ approval_id: id, challenge: intent_id, digest, decision: "approved", comment: null },
          ...{ decided_at, expires_at, key_id: keyId },
          subject_sha256: hash("sha256", subjectToSign(subject), "hex"),
        };
        const signature = { ...sign(decisionText(message)), decided_at, expires_at };
        const path = `/api/v1/approvals/${id}/decision`;
        return call<Answer>("POST", path, { decision: "approved", signature });
      };
      return { ...opened, change, addAda, list, confirm, ask, approve };
    }

    test("have a first key freely, which signs a passkey, which approves", async (t) => {
      const { change, addAda, list, confirm, ask, approve } = await open(t);
      assert.deepEqual((await addAda()).waiting, null);
      const { page, require } = await list();
      assert.equal(require, "person");
      const phone = makeAuthenticator();
      // The requirement of the file was recorded meanwhile: that was revision 1.
      const passkey = phone.register(enrolmentText(2, "phone"), { origin: page });
      const { waiting } = await change({ action: "add", name: "phone", passkey });
      assert.ok(waiting);
      const asked = await ask();
      const byPhone = (text: string) => phone.assert(text, { origin: page, counter: 7 });
      const early = await approve(asked, phone.key.id, byPhone);
      assert.deepEqual([early.status, early.body.code], [403, "SWARM_APPROVAL_NEEDS_PERSON"]);
      assert.equal((await confirm(waiting, byAda)).code, undefined);
      assert.deepEqual(
        (await list()).keys.map(({ name, kind }) => [name, kind]),
        [
          ["ada", "passphrase"],
          ["phone", "passkey"],
        ],
      );
      assert.equal((await approve(asked, phone.key.id, byPhone)).status, 200);
      const again = await ask("git push two");
      const copied = await approve(again, phone.key.id, byPhone);
      assert.match(copied.body.detail ?? "", /counter did not increase/);
    });

    test("take no passkey as the first key", async (t) => {
      const { change, list } = await open(t);
      const phone = makeAuthenticator();
      const passkey = phone.register(enrolmentText(0, "phone"), { origin: (await list()).page });
      const refused = await change({ action: "add", name: "phone", passkey });
      assert.equal(refused.code, "SWARM_APPROVER_REFUSED");
      assert.match(refused.detail ?? "", /first key is made on a terminal/);
      assert.deepEqual((await list()).keys, []);
    });

    test("keep a counter of a signature that was accepted, and of no other", async (t) => {
      const { change, addAda, list, confirm, ask, approve, runtime } = await open(t);
      await addAda();
      const { page } = await list();
      const phone = makeAuthenticator();
      const passkey = phone.register(enrolmentText(2, "phone"), { origin: page });
      const { waiting } = await change({ action: "add", name: "phone", passkey });
      await confirm(waiting ?? assert.fail(), byAda);
      const by = (counter: number) => (text: string) => phone.assert(text, { origin: page, counter });
      const asked = await ask();
      const forged = await approve(asked, phone.key.id, () => by(4_000_000_000)("something else"));
      assert.equal(forged.status, 403);
      assert.equal((await approve(asked, phone.key.id, by(5))).status, 200);
      assert.match((await runtime.store.approvals.lastSignatureBy(phone.key.id)) ?? "", /client_data/);
    });

    test("take what was signed on the dashboard's own page alone", async (t) => {
      const { change, addAda, list, confirm, ask, approve } = await open(t);
      await addAda();
      const { page } = await list();
      const phone = makeAuthenticator();
      const passkey = phone.register(enrolmentText(2, "phone"), { origin: page });
      const { waiting } = await change({ action: "add", name: "phone", passkey });
      await confirm(waiting ?? assert.fail(), byAda);
      const elsewhere = (text: string) => phone.assert(text, { origin: "http://localhost:1" });
      const { status, body } = await approve(await ask(), phone.key.id, elsewhere);
      assert.equal(status, 403);
      assert.match(body.detail ?? "", /not made on the dashboard's page/);
    });

    test("let nothing be confirmed by a stranger, by the key itself or twice", async (t) => {
      const { change, addAda, list, confirm } = await open(t);
      await addAda();
      await list();
      const eve = makeKey("eve");
      const { waiting } = await change({ action: "add", name: "eve", public_key: eve.key.public_key });
      assert.ok(waiting);
      const byEve: Sign = (text) => signWith(eve.privateKey, eve.key.id, text);
      assert.equal((await confirm(waiting, byEve, eve.key.id)).code, "SWARM_APPROVER_REFUSED");
      assert.equal((await confirm(waiting, byEve)).code, "SWARM_APPROVER_REFUSED");
      assert.equal(
        (await confirm({ ...waiting, id: "chg_none" }, byAda)).code,
        "SWARM_APPROVER_CHANGE_UNKNOWN",
      );
      assert.equal((await confirm(waiting, byAda)).code, undefined);
      assert.equal((await confirm(waiting, byAda)).code, "SWARM_APPROVER_CHANGE_UNKNOWN");
    });

    test("are told of in an alert, and have keys of the right kind alone", async (t) => {
      const { call, change, addAda } = await open(t);
      const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
      const wrong = ec.export({ type: "spki", format: "der" }).toString("base64url");
      for (const body of [
        { action: "add", name: "eve", public_key: wrong },
        { action: "add", name: "eve", public_key: `${ada.key.public_key}=` },
        { action: "add", name: "eve\u001b[2J", public_key: ada.key.public_key },
        { action: "add", name: "eve" },
        { action: "remove" },
        { action: "require" },
      ])
        assert.equal((await change(body)).code, "SWARM_OPTION_INVALID");
      await addAda();
      const { body } = await call<{ items: readonly { reason: string }[] }>(
        "GET",
        "/api/v1/events?event=alert.raised&limit=1",
      );
      assert.equal(body.items.length, 1);
    });
  });
}
