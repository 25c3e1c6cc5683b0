import type { JsonObject } from "../../../engine/events/schema.ts";
import type { RunEvent } from "../../port/run-event.ts";
import { isApproval, isQuestion } from "../row-kinds.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, subjectOf, textOf } from "./section.ts";

/** Questions that are not known to have been decided; more are counted, not listed. */
const maxOpen = 2_000;

/** What a person was asked, what they decided and what they said. */
export async function approvalsSection(material: Material): Promise<void> {
  const { sheet, summary, rows } = material;
  sheet.heading("Approvals");
  if (summary.approvals + summary.questions === 0) {
    sheet.paragraph("Nobody was asked for an approval in this range.");
    return;
  }
  const table = new Table(sheet, [
    { title: "Decided", share: 0.18 },
    { title: "What was asked", share: 0.31 },
    { title: "Decision", share: 0.1 },
    { title: "By", share: 0.13 },
    { title: "Comment, and why it was asked", share: 0.28 },
  ]);
  const open = new Map<string, RunEvent>();
  let unlisted = 0;
  for await (const row of rows()) {
    if (!isQuestion(row) && !isApproval(row)) continue;
    const data = await payloadOf(material, row);
    const id = textOf(data.approval_id, row.id);
    if (isQuestion(row)) {
      if (open.size < maxOpen) open.set(id, row);
      else unlisted++;
      continue;
    }
    const asked = open.get(id);
    open.delete(id);
    const decision = textOf(data.decision, "decided");
    const comment = typeof data.comment === "string" ? `“${data.comment}”` : "no comment";
    table.row([
      shownTime(row.time),
      [textOf(data.name), await askedFor(material, asked), id].filter(Boolean),
      { text: decision, color: decision === "approved" ? "good" : "bad", isBold: true },
      textOf(data.decided_by, decision === "expired" ? "nobody" : row.actor),
      [comment, whyOf(data), `row ${row.seq}`].filter(Boolean),
    ]);
  }
  for (const [id, row] of open) {
    const data = await payloadOf(material, row);
    const asked = `asked ${shownTime(row.time)} by ${textOf(data.requested_by, row.actor)}, row ${row.seq}`;
    table.row([
      "–",
      [textOf(data.name), await askedFor(material, row), id].filter(Boolean),
      { text: "not decided", color: "warn" },
      "",
      [whyOf(data), asked].filter(Boolean),
    ]);
  }
  table.end();
  if (unlisted > 0)
    sheet.paragraph(`${unlisted} more questions were asked; whether they were decided was not followed.`);
}

/** What the call would do, in short; nothing where the question is older than the range or its payload is not kept. */
async function askedFor(material: Material, question: RunEvent | undefined): Promise<string> {
  if (question === undefined) return "";
  const { subject } = await payloadOf(material, question);
  return subjectOf((subject as JsonObject | undefined)?.input);
}

/** The rule that has somebody asked, and what it gives as its reason, which may name it once more. */
function whyOf(data: JsonObject): string {
  const rule = textOf(data.rule, "");
  const reason = textOf(data.reason, "").replace(/ \[([^\]]+)\]$/, (named, id: string) => {
    return rule.endsWith(id) ? "" : named;
  });
  return [rule, reason].filter(Boolean).join(": ");
}
