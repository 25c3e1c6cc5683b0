import { askedText } from "../../../base/asked-text.ts";
import { oneLine } from "../../../base/show.ts";
import { visible } from "../../../base/visible.ts";
import type { ApprovalStatus } from "../port/approval-store.ts";
import { type Client, type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { type Style, type Styled, style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

type Approval = ResultOf<"showApproval">;

export const approvalsListCommand: Command = {
  summary: "list what a person was asked to decide, newest first",
  positionals: [],
  options: {
    status: "STATUS  only pending, approved, denied, expired or used",
    limit: "N  at most this many, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: ["swarm approvals list", "swarm approvals list --status pending --json"],
  async run({ options: query, isJson }) {
    // As written: the operation reads and checks them.
    const found = await withClient((client) => client.call("listApprovals", { query } as never));
    if (isJson) return json(found);
    if (found.items.length === 0)
      return query.status === undefined ? "nobody was asked anything\n" : `no approval is ${query.status}\n`;
    const rows = found.items.map((approval) => [
      approval.id,
      styledStatus(approval.status),
      approval.requested_at,
      approval.expires_at,
      approval.requested_by,
      approval.rule ?? "-",
      whatOf(approval),
    ]);
    const more = found.next_cursor === null ? "" : `${style("dim", `more: --cursor ${found.next_cursor}`)}\n`;
    return table(["ID", "STATUS", "ASKED", "LAPSES", "BY", "RULE", "WHAT"], rows) + more;
  },
};

export const approvalsShowCommand: Command = {
  summary: "show one approval: exactly what was asked, and what was decided",
  positionals: ["ID"],
  examples: ["swarm approvals show apr_0mwij678r86a4a07f3b84947db4aa"],
  async run({ positionals: [id], isJson }) {
    if (id === undefined) throw usage("approvals show", "an id is missing");
    const approval = await withClient((client) => client.call("showApproval", { params: { id } }));
    return isJson ? json(approval) : lines(approval);
  },
};

export const approvalsApproveCommand = decisionCommand("approve", "approved");
export const approvalsDenyCommand = decisionCommand("deny", "denied");

function decisionCommand(verb: "approve" | "deny", decision: "approved" | "denied"): Command {
  return {
    summary:
      verb === "approve"
        ? "let the call pass that was asked about, once; the same call, with the same arguments"
        : "refuse the call that was asked about; the same call is refused again until the decision lapses",
    positionals: ["ID"],
    options: {
      reason: "TEXT  why; told to whoever asked",
      ...(verb === "approve" && {
        key: "NAME  where approvals take a person's key: the one to sign with; default the first whose file is here",
      }),
    },
    examples: [
      `swarm approvals ${verb} apr_0mwij678r86a4a07f3b84947db4aa --reason "${verb === "approve" ? "release day" : "not on a Friday"}"`,
    ],
    async run({ positionals: [id], options: { reason: comment, key }, isJson }) {
      if (id === undefined) throw usage(`approvals ${verb}`, "an id is missing");
      const approval = await withClient(async (client) => {
        const signature =
          decision === "approved" ? await signatureFor(client, id, comment ?? null, key) : null;
        const body = {
          decision,
          ...(comment !== undefined && { comment }),
          ...(signature !== null && { signature: { ...signature } }),
        };
        return client.call("decideApproval", { params: { id }, body });
      });
      if (isJson) return json(approval);
      // The call it is for may have waited, and has gone on by now.
      const how =
        approval.status === "used"
          ? `${decision} and used by the call that waited`
          : `${approval.status} until ${approval.expires_at}`;
      return `${approval.id} is ${how}: ${whatOf(approval)}\n`;
    },
  };
}

/** Null where none is asked for, and where there is nothing to decide any more. */
async function signatureFor(client: Client, id: string, comment: string | null, key: string | undefined) {
  const approvers = await client.call("listApprovers");
  if (approvers.require === "any") return null;
  const approval = await client.call("showApproval", { params: { id } });
  if (approval.status !== "pending") return null;
  const { signDecision } = await import("../../approvers/cli/sign.ts");
  return signDecision(approval, comment, approvers, key);
}

const statusStyles: Readonly<Record<ApprovalStatus, Style>> = {
  pending: "yellow",
  approved: "green",
  denied: "red",
  expired: "dim",
  used: "dim",
};

function styledStatus(status: ApprovalStatus): Styled {
  return { text: status, format: statusStyles[status] };
}

function whatOf({ name, subject }: Approval): string {
  return oneLine(visible(`${name}: ${askedText(subject)}`), 120);
}

function lines(approval: Approval): string {
  const { subject, signature, ...rest } = approval;
  const shown = Object.entries(rest).filter(([, value]) => value !== null);
  return [
    ...shown.map(([key, value]) => `${key.padEnd(13)} ${visible(String(value))}`),
    ...(signature === null ? [] : [`signed by     ${visible(String(signature.key_id))}`]),
    "subject",
    ...JSON.stringify(subject, null, 2)
      .split("\n")
      .map((line) => `  ${visible(line)}`),
    "",
  ].join("\n");
}
