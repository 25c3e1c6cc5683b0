import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  type ApproverAction,
  changeText,
  type DecisionMessage,
  decisionText,
} from "../../policy/approvers/message.ts";
import { makeKey, signWith } from "../../policy/approvers/sign.ts";
import { genesisHash } from "../port/run-event.ts";
import type { Head } from "../../store/port/store.ts";
import { chainRow } from "../port/chain.ts";
import { completeEntry } from "./complete-entry.ts";
import { PublicKey } from "./signing-key.ts";
import { type VerifiableRow, verifyRecord } from "./verify.ts";

const [ada, eve] = [makeKey("ada"), makeKey("eve")];
const time = "2026-01-01T00:00:00.000Z";
type Text = { readonly before?: string; readonly after?: string };

const added = (action: ApproverAction, revision: number) =>
  ({
    event: action.action === "add" ? "approver.added" : "approver.required",
    before: JSON.stringify({ revision, change: action, decided_at: time, proof: null }),
  }) as const;
const first = added({ action: "add", key: ada.key }, 0);
const removal: ApproverAction = { action: "remove", key_id: ada.key.id };
const required = added({ action: "require", require: "person" }, 1);

/** The row of a yes, with what was signed where somebody has. */
function yes(by: typeof ada | null, given: Partial<DecisionMessage> = {}, name = by) {
  const ref = "evt_intent";
  const row = { kind: "outcome", event: "approval.requested", verdict: "allow", ref } as const;
  if (by === null || name === null) return row;
  const message: DecisionMessage = {
    approval_id: "apr_1",
    challenge: ref,
    digest: "d",
    subject_sha256: "s",
    decision: "approved",
    comment: null,
    decided_at: time,
    expires_at: time,
    key_id: name.key.id,
  };
  const proof = signWith(by.privateKey, name.key.id, decisionText(message));
  return { ...row, after: JSON.stringify({ signed: { ...message, ...given }, proof }) };
}

/** The faults of a whole record with these rows. */
async function faultsOf(entries: readonly (Text & { readonly event: string })[], isExpired = false) {
  const rows: VerifiableRow[] = [];
  let head: Head = { seq: 0, hash: genesisHash };
  for (const entry of entries) {
    const made = chainRow(head, completeEntry({ kind: "change", actor: "human:ada", ...entry }, time));
    rows.push({ row: made.row, payload: isExpired && entry.after !== undefined ? null : made.payload });
    head = made.row;
  }
  const { faults } = await verifyRecord({
    start: { seq: 0, hash: genesisHash },
    rows: (async function* () {
      yield* rows;
    })(),
    signedHead: () => null,
    mayHaveUnsignedRows: true,
    key: new PublicKey(pem),
    anchors: [],
  });
  return faults.filter(({ kind }) => kind === "signature").map(({ problem }) => problem);
}
const pem = `-----BEGIN PUBLIC KEY-----\n${Buffer.from(ada.key.public_key, "base64url").toString("base64")}\n-----END PUBLIC KEY-----\n`;

suite("the signatures in a record", () => {
  test("are good, or there are none and none was required", async () => {
    assert.deepEqual(await faultsOf([yes(null), first, yes(null), yes(ada), required, yes(ada)]), []);
  });

  test("are missed where a person was required", async () => {
    assert.deepEqual(await faultsOf([first, required, yes(null)]), [
      "row 3 approves without the signature that was required",
    ]);
  });

  test("are none when a stranger made them, or they were made for something else", async () => {
    const none = "row 2 approves with a signature that does not count:";
    for (const [row, problem] of [
      [yes(eve), "its key was no approver's"],
      [yes(eve, {}, ada), "the signature does not fit what was decided"],
      [yes(ada, { comment: "another" }), "the signature does not fit what was decided"],
      [yes(ada, { challenge: "evt_other" }), "it is for another approval"],
      [yes(ada, { decision: "denied" as "approved" }), "it is for another decision"],
      [{ ...yes(null), after: "null" }, "it is not a signature"],
      [{ ...yes(null), after: "{" }, "it is not a signature"],
    ] as const)
      assert.deepEqual(await faultsOf([first, row]), [`${none} ${problem}`]);
  });

  test("are missed when their payload is gone, which is never forgotten", async () => {
    assert.deepEqual(await faultsOf([first, required, yes(ada)], true), [
      "row 3 approves with a signature that does not count: it is gone",
    ]);
  });

  test("are none of a key that was removed before, and good of one that was removed later", async () => {
    const text = changeText({ revision: 1, change: removal, decided_at: time, key_id: ada.key.id });
    const proof = signWith(ada.privateKey, ada.key.id, text);
    const before = JSON.stringify({ revision: 1, change: removal, decided_at: time, proof });
    const removed = { event: "approver.removed", before };
    assert.deepEqual(await faultsOf([first, yes(ada), removed, yes(ada)]), [
      "row 4 approves with a signature that does not count: its key was no approver's",
    ]);
  });

  test("are those of keys that were added by whoever could", async () => {
    const second = added({ action: "add", key: eve.key }, 1);
    assert.deepEqual(await faultsOf([first, second, yes(eve)]), [
      "the change of the approvers in row 2 does not count: no approver has signed it",
      "row 3 approves with a signature that does not count: its key was no approver's",
    ]);
  });
});
