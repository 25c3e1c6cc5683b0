import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can stand in the way of an approval. */
export const approvalErrors = {
  SWARM_APPROVAL_UNKNOWN: row<{ id: unknown }>({
    meaning: "There is no approval with this id.",
    remedy: "See `swarm approvals list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ id }) => `there is no approval ${show(id)}`,
  }),
  SWARM_APPROVAL_DECIDED: row<{ id: string; decided: string; by: string }>({
    meaning:
      "The approval was decided already, by somebody else or by its time running out. A decision is made once.",
    remedy:
      "See `swarm approvals show`; if it is still needed, have the action tried again, which asks anew.",
    status: 409,
    exitCode: 65,
    message: ({ id, decided, by }) =>
      decided === "expired"
        ? `approval ${oneLine(id, 64)} has expired, expected a pending one`
        : `approval ${oneLine(id, 64)} was ${oneLine(decided, 20)} by ${oneLine(by, 100)}, expected a pending one`,
  }),
  SWARM_APPROVAL_PENDING: row<{ name: string }>({
    meaning: "The same was asked already and waits for its decision.",
    remedy: "Decide the one that is pending; see `swarm approvals list --status pending`.",
    status: 409,
    exitCode: 65,
    message: ({ name }) => `the same call of ${show(name)} waits for a decision already`,
  }),
  SWARM_APPROVAL_USED: row<{ id: string }>({
    meaning: "The approval was used by another call, or its time is over. Each holds for one call.",
    remedy: "Have the action tried again, which asks anew.",
    status: 409,
    exitCode: 65,
    message: ({ id }) =>
      `approval ${oneLine(id, 64)} holds no more, expected one that was approved and not used`,
  }),
  SWARM_APPROVAL_NEEDS_PERSON: row<{ id: string; problem: string }>({
    meaning:
      "Approvals here take the signature of an approver's key (`approvals.require: person`), and this decision has none that counts.",
    remedy:
      "Approve it on a terminal with `swarm approvals approve ID`, which asks for the passphrase, or with a passkey on the dashboard; `swarm approvals key add` makes the first key. A denial needs no signature.",
    status: 403,
    exitCode: 65,
    message: ({ id, problem }) =>
      `approval ${oneLine(id, 64)} can be given by a person's key alone: ${oneLine(problem, 300)}; use swarm approvals approve on a terminal, or a passkey on the dashboard`,
  }),
  SWARM_APPROVER_NONE: row<{ home: string }>({
    meaning: "Approvals take the signature of an approver's key, and there is no key.",
    remedy:
      "Make one on a terminal with `swarm approvals key add`, or a passkey on the dashboard's page of approvals.",
    status: 409,
    exitCode: 65,
    message: ({ home }) =>
      `no approver's key can sign from ${oneLine(home, 300)}: make one with swarm approvals key add, or use a passkey on the dashboard`,
  }),
  SWARM_APPROVAL_ALTERED: row<{ id: string; problem: string }>({
    meaning:
      "An approval in the store is not what the record says was asked: somebody has changed the store, and what is shown may not be what would be let through.",
    remedy: "Do not approve it. See `swarm audit verify`; the agent's next call asks again.",
    status: 409,
    exitCode: 65,
    message: ({ id, problem }) => `approval ${id} cannot be given: ${oneLine(problem, 300)}`,
  }),
  SWARM_APPROVER_REFUSED: row<{ problem: string }>({
    meaning:
      "A change of the approvers' keys, or of whether a person is required, does not count: only the first key is added freely.",
    remedy:
      "Have it signed by a key there is: `swarm approvals key confirm` on a terminal, or the dashboard's page of approvals.",
    status: 403,
    exitCode: 65,
    message: ({ problem }) => `the approvers are unchanged: ${oneLine(problem, 300)}`,
  }),
  SWARM_APPROVER_CHANGE_UNKNOWN: row<{ id: unknown }>({
    meaning: "No change of the approvers waits under this id: it was confirmed, or ten minutes are over.",
    remedy: "Begin the change again; see `swarm approvals key list` for those that wait.",
    status: 404,
    exitCode: 64,
    message: ({ id }) => `no change of the approvers waits under ${show(id)}`,
  }),
  SWARM_APPROVER_KEY_FILE: row<{ file: string }>({
    meaning: "The file with the approvers' private keys cannot be read as one.",
    remedy: "Put it back from a backup. Without it, approve with another key.",
    status: 500,
    exitCode: 70,
    message: ({ file }) => `${oneLine(file, 300)} is not a file of approvers' keys`,
  }),
  SWARM_APPROVER_PASSPHRASE: row<{ name: string }>({
    meaning: "The passphrase does not open the approver's key, or the file of keys was changed.",
    remedy: "Try again; nothing was decided.",
    status: 403,
    exitCode: 65,
    message: ({ name }) => `this is not the passphrase of the key ${show(name)}, or its file was changed`,
  }),
  SWARM_APPROVER_TERMINAL: row<{ command: string }>({
    meaning: "A passphrase is asked for on a terminal, and there is none.",
    remedy:
      "Run the command in a terminal. A passphrase is taken neither as an argument nor from the environment or a pipe: a program could give it.",
    status: 400,
    exitCode: 64,
    message: ({ command }) =>
      `swarm ${oneLine(command, 60)} asks for a passphrase and found no terminal to ask on: run it in one`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
