import assert from "node:assert/strict";
import { generateKeyPairSync, hash, sign } from "node:crypto";
import { suite, test } from "node:test";
import { makeAuthenticator } from "./authenticator.cases.ts";
import { proofProblem } from "./check-proof.ts";
import {
  type ChangeRow,
  damaged,
  isFree,
  noApprovers,
  type RecordedApproverChange,
  readHistory,
} from "./history.ts";
import { type ApproverAction, changeText } from "./message.ts";
import { keyIdOf, makeKey, signWith } from "./sign.ts";

const [ada, bob, eve] = [makeKey("ada"), makeKey("bob"), makeKey("eve")];
type Made = typeof ada;
const time = "2026-01-01T00:00:00.000Z";

/** A change as a row of the record; signed where `by` is given. */
function row(
  revision: number,
  change: ApproverAction,
  by?: Made,
  given: Partial<RecordedApproverChange> = {},
): ChangeRow {
  const proof =
    by === undefined
      ? null
      : signWith(
          by.privateKey,
          by.key.id,
          changeText({ revision, change, decided_at: time, key_id: by.key.id }),
        );
  const text = JSON.stringify({ revision, change, decided_at: time, proof, ...given });
  return { seq: revision + 1, before_hash: hash("sha256", text, "hex"), text };
}
const add = ({ key }: Made): ApproverAction => ({ action: "add", key });
const remove = ({ key }: Made): ApproverAction => ({ action: "remove", key_id: key.id });
const require = (what: "any" | "person"): ApproverAction => ({ action: "require", require: what });
async function after(...rows: ChangeRow[]) {
  const { keys, isPersonRequired, refused } = await readHistory(rows);
  return {
    keys: keys.map(({ name }) => name),
    isPersonRequired,
    refused: refused.map(({ problem }) => problem),
  };
}

suite("a signature", () => {
  test("is none of a key under another id, or of another type than the one that is registered", async () => {
    const proof = signWith(ada.privateKey, ada.key.id, "text");
    assert.equal(await proofProblem(ada.key, "text", proof), null);
    assert.notEqual(await proofProblem(bob.key, "text", proof), null);
    const renamed = { ...ada.key, id: bob.key.id };
    assert.notEqual(await proofProblem(renamed, "text", { ...proof, key_id: bob.key.id }), null);
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const public_key = publicKey.export({ type: "spki", format: "der" }).toString("base64url");
    const id = keyIdOf("passphrase", public_key);
    const signature = sign(null, Buffer.from("text"), privateKey).toString("base64url");
    const key = { ...ada.key, id, public_key };
    assert.notEqual(await proofProblem(key, "text", { key_id: id, signature }), null);
  });
});

suite("the history of approvers", () => {
  test("takes the first key freely, and every later one by the signature of a key there is", async () => {
    assert.deepEqual(await after(row(0, add(ada)), row(1, add(bob), ada), row(2, add(eve), bob)), {
      keys: ["ada", "bob", "eve"],
      isPersonRequired: false,
      refused: [],
    });
  });

  test("takes no second key that nobody, a stranger or the key itself has signed", async () => {
    for (const [second, problem] of [
      [row(1, add(eve)), "no approver has signed it"],
      [row(1, add(eve), eve), "the key that signed it is no approver's"],
      [row(1, add(eve), bob), "the key that signed it is no approver's"],
    ] as const)
      assert.deepEqual(await after(row(0, add(ada)), second), {
        keys: ["ada"],
        isPersonRequired: false,
        refused: [problem],
      });
  });

  test("takes no signature that was made for another change, another time or another revision", async () => {
    const signed = row(1, add(bob), ada);
    const { proof } = JSON.parse(signed.text ?? "") as RecordedApproverChange;
    const unfit = "the signature does not fit what was decided";
    const first = row(0, add(ada));
    assert.deepEqual((await after(first, row(1, add(eve), undefined, { proof }))).refused, [unfit]);
    const later = { proof, decided_at: "2026-01-02T00:00:00.000Z" };
    assert.deepEqual((await after(first, row(1, add(bob), undefined, later))).refused, [unfit]);
    // Bob was taken out since: the row that let him in once does not do so again.
    const again = await after(
      first,
      signed,
      row(2, remove(bob), ada),
      signed,
      row(3, add(bob), undefined, { proof }),
    );
    assert.deepEqual(again, {
      keys: ["ada"],
      isPersonRequired: false,
      refused: ["it is for revision 1, not 3", unfit],
    });
  });

  test("takes no key under the id of another", async () => {
    const forged = { ...eve.key, id: ada.key.id, name: "ada2" };
    assert.deepEqual(await after(row(0, { action: "add", key: forged })), {
      keys: [],
      isPersonRequired: false,
      refused: ["its id is not that of its key"],
    });
  });

  test("takes no passkey as the first key, and one that a key has signed later", async () => {
    const { key } = makeAuthenticator();
    const first = await after(row(0, { action: "add", key }));
    assert.deepEqual([first.keys, first.refused], [[], ["no approver has signed it"]]);
    assert.deepEqual((await after(row(0, add(ada)), row(1, { action: "add", key }, ada))).keys, [
      "ada",
      "phone",
    ]);
  });

  test("keeps a requirement that was once in force until an approver has signed its end", async () => {
    const begun = [row(0, add(ada)), row(1, require("person"))];
    assert.equal((await after(...begun)).isPersonRequired, true);
    assert.equal((await after(...begun, row(2, require("any")))).isPersonRequired, true);
    assert.equal((await after(...begun, row(2, require("any"), eve))).isPersonRequired, true);
    assert.equal((await after(...begun, row(2, require("any"), ada))).isPersonRequired, false);
  });

  test("leaves at least one key while a person is required", async () => {
    const begun = [row(0, add(ada)), row(1, require("person"))];
    assert.deepEqual(await after(...begun, row(2, remove(ada), ada)), {
      keys: ["ada"],
      isPersonRequired: true,
      refused: ["it is the last key, and a person is required"],
    });
    assert.deepEqual((await after(row(0, add(ada)), row(1, remove(ada), ada))).keys, []);
  });

  test("has no approver, and takes none, once a row of it is damaged", async () => {
    const added = row(0, add(ada));
    const damages = [
      [null, "its payload is not the one recorded"],
      [(added.text ?? "").replace("ada", "eve"), "its payload is not the one recorded"],
    ] as const;
    for (const [text, problem] of damages)
      assert.deepEqual(await after({ ...added, text }, row(0, add(eve)), row(1, add(eve))), {
        keys: [],
        isPersonRequired: true,
        refused: [problem, ...Array(2).fill("a row of the approvers before it is damaged")],
      });
    for (const value of [null, 1, "x", [], {}, { change: null }, { change: { action: "add" } }]) {
      const text = JSON.stringify(value);
      const other = { seq: 1, before_hash: hash("sha256", text, "hex"), text };
      assert.deepEqual(
        [(await after(other)).refused, (await after(other, added)).keys],
        [["its payload is not a change of approvers"], []],
      );
    }
  });

  test("says beforehand what needs no signature", () => {
    const some = { ...noApprovers, keys: [ada.key] };
    assert.deepEqual(
      [add(bob), require("person"), require("any"), remove(ada)].map((change) => isFree(some, change)),
      [false, true, false, false],
    );
    assert.equal(isFree(noApprovers, add(bob)), true);
    assert.equal(isFree(noApprovers, require("any")), false);
    assert.equal(isFree(noApprovers, { action: "add", key: makeAuthenticator().key }), false);
    assert.equal(isFree(damaged(noApprovers), add(bob)), false);
  });
});
