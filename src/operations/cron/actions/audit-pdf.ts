import { isAbsolute, join } from "node:path";
import { type PdfRange, rangeFields, rangeProblem, readRange } from "../../../record/pdf/range.ts";
import { rangeName, rangeText } from "../../../record/pdf/range-text.ts";
import { type JsonObject, text } from "../../../engine/events/schema.ts";
import type { TaskKind } from "../port/task.ts";

export interface AuditPdfOptions {
  /** Makes one in a folder, null for the usual one, under a name of its own. */
  readonly makePdf: (order: {
    readonly range: PdfRange;
    readonly folder: string | null;
    readonly name: string;
    readonly actor: string;
    readonly task: string;
    readonly signal: AbortSignal;
  }) => Promise<{
    readonly file: string;
    readonly manifest: { readonly sha256: string; readonly pages: number; readonly rows: number };
    readonly problem: string | null;
  }>;
  /** What one would hold, and the folder it would be in. */
  readonly previewPdf: (range: PdfRange) => Promise<{ readonly rows: number; readonly denials: number }>;
  /** Where they go that say nothing about it. */
  readonly reports: string;
  readonly now: () => number;
}

/** Tells what a run would do, a line each, and does none of it. */
interface Planned {
  plan(config: JsonObject): Promise<readonly string[]>;
}

/** A range of the record as one PDF for people, with a manifest that proves what it was made from. */
export function auditPdfTask(options: AuditPdfOptions): TaskKind & Planned {
  const { makePdf, previewPdf, reports, now } = options;
  return {
    doc: "Writes the record of a run, a promotion or a range of dates as a PDF.",
    fields: {
      ...rangeFields,
      output: text("Folder it is written to, absolute; default reports in SWARM_HOME."),
    },
    check({ output, ...range }) {
      if (output !== undefined && (!isAbsolute(String(output)) || String(output).includes("\0")))
        return { option: "output", expected: "an absolute path of a folder" };
      return rangeProblem(range);
    },
    async plan({ output = reports, ...given }) {
      const range = readRange(given, now());
      const { rows, denials } = await previewPdf(range);
      return [
        `writes ${join(String(output), `audit-${rangeName(range)}-RUN_ID.pdf`)} and its manifest`,
        `of ${rangeText(range)}, if it were due now: ${rows} rows, ${denials} denials so far`,
      ];
    },
    async run({ output, ...given }, { run_id, attempt, scheduled_at, signal, print }) {
      // By the time it was due, not by the clock: a run that is late or tried again covers the same days.
      const range = readRange(given, Date.parse(scheduled_at));
      const { file, manifest, problem } = await makePdf({
        range,
        folder: output === undefined ? null : String(output),
        name: `${run_id}${attempt === 1 ? "" : `-${attempt}`}`,
        actor: "swarm",
        task: run_id,
        signal,
      });
      print(`${file}\n${manifest.pages} pages, ${manifest.rows} rows, SHA-256 ${manifest.sha256}\n`);
      return {
        exitCode: null,
        problem: problem === null ? null : `the record is not intact, and the PDF says so: ${problem}`,
      };
    },
  };
}
