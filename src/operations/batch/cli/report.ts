import { writeFileSync } from "node:fs";
import { SwarmError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/show.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { newFile } from "../../../cli/new-file.ts";
import { grouped } from "./progress-text.ts";

type Report = ResultOf<"batchReport">;

export const batchReportCommand: Command = {
  summary: "tell what a batch run came to: counts, error classes, latencies, duplicates",
  positionals: ["RUN_ID"],
  options: {
    html: "FILE  also write a page with plots, to look at and to pass on; it must not be there yet",
  },
  examples: [
    "swarm batch report nightly",
    "swarm batch report nightly --html report.html",
    "swarm batch report nightly --json | jq .stats.latency_ms",
  ],
  async run({ positionals: [run_id], options: { html }, isJson }) {
    if (run_id === undefined) throw usage("batch report", "the id of a run is missing");
    const page = html === undefined ? null : newFile("batch report", html);
    const report = await withClient((client) => client.call("batchReport", { params: { run_id } }));
    if (page !== null) await writePage(page, report);
    return isJson ? json(report) : reportText(report, page);
  },
};

async function writePage(file: string, { stats, ...run }: Report): Promise<void> {
  const { run_id: runId, state } = run;
  if (stats === null)
    throw new SwarmError("SWARM_BATCH_RUN_STATE", { runId, state, expected: "one that is completed" });
  const { reportPage } = await import("../report/page.ts");
  // For nobody else: names of files and classes may be private.
  writeFileSync(file, reportPage(run, stats, new Date().toISOString()), { flag: "wx", mode: 0o600 });
}

function reportText(report: Report, page: string | null): string {
  const { run_id, state, reason, processor, input, output, leg, done_count, failed_count, duration_s } =
    report;
  const rows: (readonly [string, string])[] = [
    ["run", `${run_id}, ${state}${reason === null ? "" : `: ${oneLine(reason, 300)}`}`],
    ["processor", processor],
    ["input", oneLine(input, 500)],
    ["output", oneLine(output, 500)],
    ["records", `${grouped(done_count)} done, ${grouped(failed_count)} failed`],
    ...(failed_count === 0 ? [] : [["errors", oneLine(`${output}/errors.jsonl`, 500)] as const]),
    ["took", `${duration_s.toFixed(1)} s in ${leg} ${leg === 1 ? "leg" : "legs"}`],
    ...statsRows(report.stats),
    ...(page === null ? [] : [["page", oneLine(page, 500)] as const]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join("");
}

/** Whatever stats.json holds, in the order it has; what the rows above say, and long lists, are left out. */
function statsRows(stats: Report["stats"]): [string, string][] {
  const known = [
    "run_id",
    "name",
    "processor",
    "order",
    "legs",
    "input",
    "counts",
    "duration_ms",
    "throughput",
  ];
  return Object.entries(stats ?? {}).flatMap(([name, value]): [string, string][] => {
    if (known.includes(name) || value === null || Array.isArray(value)) return [];
    return [[name.replaceAll("_", " "), valueText(value)]];
  });
}

function valueText(value: unknown): string {
  if (typeof value !== "object" || value === null) return oneLine(String(value), 300);
  const parts = Object.entries(value)
    .filter(([, part]) => typeof part !== "object")
    .map(
      ([name, part]) => `${name} ${typeof part === "number" ? Number(part.toPrecision(4)) : String(part)}`,
    );
  return parts.length === 0 ? "none" : oneLine(parts.join(", "), 500);
}
