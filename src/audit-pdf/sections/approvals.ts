import type { RunEvent } from "../../ports/run-event.ts";
import { isApproval, isQuestion } from "../row-kinds.ts";
import { Table } from "../table.ts";
import { type Material, payloadOf, shownTime, textOf } from "./section.ts";

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
    { title: "Decided", share: 0.19 },
    { title: "What was asked", share: 0.23 },
    { title: "Decision", share: 0.11 },
    { title: "By", share: 0.17 },
    { title: "Comment, and why it was asked", share: 0.3 },
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
    open.delete(id);
    const decision = textOf(data.decision, "decided");
    const comment = typeof data.comment === "string" ? `“${data.comment}”` : "no comment";
    const why = [textOf(data.rule, ""), textOf(data.reason, "")].filter(Boolean).join(": ");
    table.row([
      shownTime(row.time),
      [textOf(data.name), id],
      { text: decision, color: decision === "approved" ? "good" : "bad", isBold: true },
      textOf(data.decided_by, decision === "expired" ? "nobody" : row.actor),
      [comment, why, `row ${row.seq}`].filter(Boolean),
    ]);
  }
  for (const [id, row] of open) {
    table.row([
      "–",
      id,
      { text: "not decided", color: "warn" },
      "",
      `asked ${shownTime(row.time)}, row ${row.seq}`,
    ]);
  }
  table.end();
  if (unlisted > 0)
    sheet.paragraph(`${unlisted} more questions were asked; whether they were decided was not followed.`);
}
