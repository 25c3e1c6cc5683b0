import type { DigestedPath } from "../../../src/operations/pipelines/port/pipeline-store.ts";
import type { ResultOf } from "../api.ts";
import { type Child, h } from "../dom.ts";
import { hashOf } from "../place.ts";
import { badge, code, digest, digested, facts, line, table, tableRow, textOrNull, time } from "../view.ts";
import { runLink } from "./pipeline-run.ts";

type Version = ResultOf<"showModelVersion">;

/** As a run writes it. */
interface Lineage {
  readonly pipeline: string;
  readonly file: string;
  readonly folder: string;
  readonly started_by: string;
  readonly data: DigestedPath | null;
  readonly code: { readonly commit: string; readonly is_dirty: boolean | null } | null;
  readonly steps: readonly Step[];
  readonly approvals: readonly Approval[];
  readonly trusted_by: readonly string[];
}

interface Step {
  readonly step: string;
  readonly status: string;
  readonly command: string | readonly string[];
  readonly digest: string;
  readonly made_by: string;
  readonly outputs: readonly DigestedPath[];
}

interface Approval {
  readonly approval_id: string;
  readonly name: string;
  readonly rule: string | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly comment: string | null;
}

/** All a version came of: data, code, what each step made, its numbers, and who had a say. */
export function lineageOf({
  run_id,
  digest: own,
  metrics,
  created_at,
  created_by,
  lineage,
}: Version): HTMLElement[] {
  const from = lineage as unknown as Lineage;
  return [
    facts([
      ["Made", time(created_at)],
      ["By", line(created_by)],
      ["Run", runLink(run_id, code(run_id))],
      ["Pipeline", [line(from.pipeline), " of ", line(from.file)]],
      ["Code", codeOf(from.code)],
      ["Data", from.data === null ? "none" : digested(from.data)],
      ["Digest of data and outputs", digest(own)],
      ["Pipeline approved by", textOrNull(from.trusted_by.join(", "))],
    ]),
    h("h3", {}, "Numbers"),
    numberTable(metrics),
    h("h3", {}, "Steps"),
    stepTable(from.steps),
    h("h3", {}, "Approvals"),
    approvalTable(from.approvals),
  ];
}

function codeOf(found: Lineage["code"]): Child {
  if (found === null) return "no commit: its folder is in no repository";
  const { commit, is_dirty } = found;
  const told = is_dirty === null ? "changes not known" : is_dirty ? "with changes" : "without changes";
  return [code(commit), h("div", { class: "quiet" }, told)];
}

const numberColumns = ["Number", "Value"];

function numberTable(metrics: Readonly<Record<string, number>>): HTMLElement {
  const entries = Object.entries(metrics);
  if (entries.length === 0) return h("p", { class: "quiet" }, "No step has told any.");
  const rows = entries.map(([name, value]) =>
    tableRow(numberColumns, [line(name), h("span", { class: "number" }, String(value))]),
  );
  return table("What the steps measured", numberColumns, rows);
}

const stepColumns = ["Step", "Command", "Made by", "Outputs"];

function stepTable(steps: readonly Step[]): HTMLElement {
  const rows = steps.map(({ step, status, command, digest: own, made_by, outputs }) =>
    tableRow(stepColumns, [
      [h("strong", { class: "name" }, line(step)), " ", badge(status)],
      [
        code(typeof command === "string" ? command : command.join(" ")),
        h("div", { class: "quiet" }, "its digest ", digest(own)),
      ],
      runLink(made_by, line(made_by)),
      outputs.length === 0 ? "nothing" : outputs.map(digested),
    ]),
  );
  return table("What each step ran and made", stepColumns, rows);
}

const approvalColumns = ["What", "Rule", "Approved by", "At", "Comment"];

function approvalTable(approvals: readonly Approval[]): HTMLElement {
  if (approvals.length === 0) return h("p", { class: "quiet" }, "Nobody was asked while it was made.");
  const rows = approvals.map(({ name, rule, decided_by, decided_at, comment }) =>
    tableRow(approvalColumns, [
      h("a", { href: hashOf("approvals") }, line(name)),
      textOrNull(rule) ?? "-",
      textOrNull(decided_by) ?? "-",
      decided_at === null ? "-" : time(decided_at),
      textOrNull(comment) ?? "-",
    ]),
  );
  return table("Approvals that were used", approvalColumns, rows);
}
