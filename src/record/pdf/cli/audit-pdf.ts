import { resolve } from "node:path";
import { rangeText } from "../range-text.ts";
import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

export const auditPdfCommand: Command = {
  summary: "write a range of the record as a PDF for people, with a signed manifest beside it",
  positionals: [],
  options: {
    from: "DAY  first day, as 2026-01-01, or a time; UTC",
    to: "DAY  last day, which belongs to it, or a time, which does not; default now",
    days: "N  instead: so many whole days before today",
    run: "ID  instead: the rows of one run, whenever they were",
    promotion: "ID  instead: the rows of one promotion",
    rows: "WHICH  notable (default) or all: every row listed one by one",
    output: "FILE  where to; default a name for its range in this folder",
  },
  flags: { "dry-run": { doc: "tell what would be written and where, and write nothing" } },
  examples: [
    "swarm audit pdf --from 2026-01-01 --to 2026-01-31 --output january.pdf",
    "swarm audit pdf --days 7 --dry-run",
  ],
  async run({ options, flags, isJson }) {
    const { from, to, days, run, promotion, rows } = options;
    if ([from, days, run, promotion].filter((given) => given !== undefined).length !== 1)
      throw usage("audit pdf", "expected one of --from, --days, --run and --promotion");
    const output = resolve(options.output ?? `audit-${run ?? promotion ?? nameOf(from, to, days)}.pdf`);
    const range = {
      from,
      to,
      days: days === undefined ? undefined : wholeNumber(days),
      run_id: run ?? promotion,
      kind: promotion === undefined ? undefined : "promotion",
      rows,
    };
    const given = Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined));
    const input = { ...given, output } as never; // read and checked by the operation
    if (flags.has("dry-run")) {
      const found = await withClient((client) => client.call("previewAuditPdf", { query: input }));
      if (isJson) return json(found);
      const covered = `${rangeText(found.range)}: ${found.rows} rows, ${found.denials} denials`;
      return `would write ${oneLine(found.file)}\n${covered}\n`;
    }
    const { file, manifest, problem } = await withClient((client) =>
      client.call("makeAuditPdf", { body: input }),
    );
    const exitCode = problem === null ? 0 : 1;
    if (isJson) return { text: json({ file, manifest, problem }), exitCode };
    const lines = [
      `wrote ${oneLine(file)}: ${manifest.pages} pages, ${manifest.rows} rows, ${rangeText(manifest.range)}`,
      `SHA-256 ${manifest.sha256}, signed by key ${manifest.head.key_id}; check it with: swarm audit verify ${oneLine(file)}`,
      ...(problem === null
        ? []
        : [style("red", `the record is NOT intact, and the PDF says so: ${oneLine(problem)}`)]),
    ];
    return { text: `${lines.join("\n")}\n`, exitCode };
  },
};

export const auditPdfsCommand: Command = {
  summary: "list the PDFs of the record that are kept in reports in SWARM_HOME, newest first",
  positionals: [],
  options: { limit: "N  at most this many, 1 to 1000; default 50" },
  examples: ["swarm audit pdfs", "swarm audit pdfs --limit 5 --json"],
  async run({ options: { limit }, isJson }) {
    // As written: the operation reads and checks it.
    const found = await withClient((client) => client.call("listAuditPdfs", { query: { limit } as never }));
    if (isJson) return json(found);
    const left =
      found.unusable === 0
        ? ""
        : `left out, as their manifests are missing or of others: ${found.unusable}\n`;
    if (found.items.length === 0) return `none is kept: dashboards and jobs put theirs there\n${left}`;
    const rows = found.items.map(({ made_at, range, rows: covered, pages, is_intact, file }) => [
      made_at,
      rangeText(range),
      String(covered),
      String(pages),
      is_intact ? "yes" : { text: "NO", format: "red" as const },
      file,
    ]);
    return table(["MADE", "RANGE", "ROWS", "PAGES", "INTACT", "FILE"], rows) + left;
  },
};

function nameOf(from: string | undefined, to: string | undefined, days: string | undefined): string {
  const words = days === undefined ? [from, to ?? "now"] : [`last-${days}-days`];
  return words.join("--").replaceAll(/[^\w.-]/g, "");
}

function wholeNumber(written: string): number {
  if (/^\d{1,5}$/.test(written)) return Number(written);
  throw usage("audit pdf", `--days is ${JSON.stringify(written)}, expected a whole number`);
}
