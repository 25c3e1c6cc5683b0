import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { integer, object, oneOf, required, text } from "../../engine/events/schema.ts";
import { type Approval, approvalStatuses } from "./port/approval-store.ts";
import { page, pageSchema, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { readSigned } from "../../daemon/server/signature.ts";
import { string, stringOrNull, time, timeOrNull } from "../../daemon/rest/shapes.ts";

const approvalSchema = closed({
  seq: { type: "integer" },
  id: string,
  digest: { ...string, description: "SHA-256 of exactly what was asked." },
  status: { enum: approvalStatuses },
  event: string,
  kind: stringOrNull,
  name: { ...string, description: "The tool, job, run or branch." },
  rule: { ...stringOrNull, description: "Who asked: policy:ID, or a hook." },
  reason: stringOrNull,
  subject: { type: "object", description: "What was asked; secrets are replaced." },
  session: stringOrNull,
  agent: stringOrNull,
  task: stringOrNull,
  cwd: stringOrNull,
  source: stringOrNull,
  requested_by: string,
  requested_at: time,
  expires_at: { ...time, description: "When the question lapses; once decided, when the decision does." },
  intent_id: { ...string, description: "The row of the record that announced it." },
  decided_at: timeOrNull,
  decided_by: stringOrNull,
  comment: stringOrNull,
  used_at: timeOrNull,
  signature: {
    type: ["object", "null"],
    description: "The approver's signature the decision was made with; null where none was asked for.",
  },
});

const approvalId = { id: required(text("Id of the approval.")) };
const maxCommentChars = 2_000;

/** Questions for a person. */
export const approvalRoutes = {
  listApprovals: route({
    method: "GET",
    path: "/api/v1/approvals",
    summary: "List the approvals, newest first",
    query: {
      limit: integer("At most this many, 1 to 1000; default 50."),
      cursor: text("`next_cursor` of the page before."),
      status: oneOf(approvalStatuses, "Only those: pending, approved, denied, expired or used."),
    },
    response: pageSchema(approvalSchema),
    async handle({ runtime }, { query }) {
      await runtime.approvals.expire();
      const { status } = query;
      const found = await page(
        positionOf(query),
        (position) => runtime.store.approvals.list({ ...position, status }),
        ({ seq }) => seq,
      );
      return { ...found, items: found.items.map(shown) };
    },
  }),

  showApproval: route({
    method: "GET",
    path: "/api/v1/approvals/{id}",
    summary: "Show one approval: what was asked, and what was decided",
    params: approvalId,
    response: approvalSchema,
    async handle({ runtime }, { params: { id } }) {
      await runtime.approvals.expire();
      const approval = await runtime.store.approvals.find(id);
      if (approval === null) throw new SwarmError("SWARM_APPROVAL_UNKNOWN", { id });
      return shown(approval);
    },
  }),

  decideApproval: route({
    method: "POST",
    path: "/api/v1/approvals/{id}/decision",
    summary: "Approve or deny; a decision is made once",
    params: approvalId,
    body: {
      decision: required(oneOf(["approved", "denied"], "approved: the call it was asked for passes, once.")),
      comment: text("Why; told to whoever asked, at most 2000 characters."),
      signature: object(
        "An approver's: {key_id, decided_at, expires_at, signature}, and of a passkey authenticator_data and client_data (docs/approvals.md).",
      ),
    },
    response: approvalSchema,
    async handle({ runtime, actor, page: dashboard }, { params: { id }, body }) {
      const { decision, comment = null } = body;
      const signed = body.signature === undefined ? null : readSigned(body.signature);
      if (comment !== null && comment.length > maxCommentChars) {
        const expected = `at most ${maxCommentChars} characters`;
        throw invalidOption("body", "comment", expected, comment);
      }
      return shown(await runtime.approvals.decide(id, decision, actor, comment, signed, dashboard));
    },
  }),
};

function shown({ subject, signature, ...approval }: Approval) {
  return {
    ...approval,
    subject: JSON.parse(subject) as Record<string, unknown>,
    signature: signature === null ? null : (JSON.parse(signature) as Record<string, unknown>),
  };
}
