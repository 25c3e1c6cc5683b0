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
} as const satisfies Record<string, ErrorRow<never>>;
