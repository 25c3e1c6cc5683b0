import { hash } from "node:crypto";
import { type LockedKey, readLockedKeys, unlockKey } from "../key-file.ts";
import { changeText, type DecisionMessage, decisionText, subjectToSign } from "../message.ts";
import { signWith } from "../sign.ts";
import { SwarmError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/show.ts";
import type { ResultOf } from "../../../cli/client.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { Terminal } from "../../../cli/terminal.ts";

type Approval = ResultOf<"showApproval">;
type Approvers = ResultOf<"listApprovers">;
type Waiting = Approvers["waiting"][number];

const maxAttempts = 3;

/** Shows on the terminal what is to be approved, asks for the passphrase and signs it. */
export async function signDecision(
  approval: Approval,
  comment: string | null,
  approvers: Approvers,
  keyName: string | undefined,
) {
  const { id, digest, subject, intent_id } = approval;
  const asked = JSON.stringify(subject, null, 2)
    .split("\n")
    .map((line) => oneLine(line, 4_000));
  const shown = [
    `approve once, ${id}:`,
    ...asked,
    comment === null ? [] : `reason: ${oneLine(comment)}`,
  ].flat();
  return withKey("approvals approve", approvers, keyName, shown, (key, privateKey) => {
    const nowMs = Date.now();
    const message: DecisionMessage = {
      approval_id: id,
      challenge: intent_id,
      digest,
      // Of what was shown above: if that is not what was asked, the signature fits no call.
      subject_sha256: hash("sha256", subjectToSign(subject), "hex"),
      decision: "approved",
      comment,
      decided_at: new Date(nowMs).toISOString(),
      expires_at: new Date(nowMs + approvers.decision_ttl_s * 1_000).toISOString(),
      key_id: key.id,
    };
    const { decided_at, expires_at } = message;
    return { ...signWith(privateKey, key.id, decisionText(message)), decided_at, expires_at };
  });
}

/** The same for a change of the approvers. */
export async function signChange(
  { change, revision }: Waiting,
  approvers: Approvers,
  keyName: string | undefined,
) {
  return withKey(
    "approvals key",
    approvers,
    keyName,
    [describeChange(change, approvers)],
    (key, privateKey) => {
      const decided_at = new Date().toISOString();
      const text = changeText({ revision, change, decided_at, key_id: key.id });
      return { decided_at, signature: signWith(privateKey, key.id, text) };
    },
  );
}

export function describeChange(change: Waiting["change"], { keys }: Pick<Approvers, "keys">): string {
  switch (change.action) {
    case "add":
      return `add the ${change.key.kind} key ${change.key.name} (${change.key.id})`;
    case "remove": {
      const { key_id } = change;
      return `remove the key ${keys.find(({ id }) => id === key_id)?.name ?? "?"} (${key_id})`;
    }
    case "require":
      return `let approvals take ${change.require === "any" ? "any operator's token" : "a person's key"}`;
  }
}

/** Keys whose private half is here and whose public half the record knows. */
export function usableKeys({ keys }: Pick<Approvers, "keys">): LockedKey[] {
  const known = new Set(keys.map(({ id }) => id));
  return readLockedKeys(swarmHome()).filter(({ id }) => known.has(id));
}

async function withKey<T>(
  command: string,
  approvers: Approvers,
  keyName: string | undefined,
  shown: readonly string[],
  sign: (key: LockedKey, privateKey: Buffer) => T,
): Promise<T> {
  const key = usableKeys(approvers).find(({ name }) => keyName === undefined || name === keyName);
  if (key === undefined) throw new SwarmError("SWARM_APPROVER_NONE", { home: swarmHome() });
  const terminal = new Terminal(command);
  let privateKey: Buffer | null = null;
  try {
    terminal.print(shown.map((line) => `${line}\n`).join(""));
    privateKey = await unlock(terminal, key);
    return sign(key, privateKey);
  } finally {
    privateKey?.fill(0);
    terminal.close();
  }
}

/** Asks again after a typing error. The number protects nothing: who has the file can guess without this program. */
async function unlock(terminal: Terminal, key: LockedKey): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return unlockKey(key, await terminal.askHidden(`passphrase of ${oneLine(key.name)}: `));
    } catch (error) {
      const isWrong = error instanceof SwarmError && error.code === "SWARM_APPROVER_PASSPHRASE";
      if (!isWrong || attempt === maxAttempts) throw error;
      terminal.print(`${error.message}\n`);
    }
  }
}
