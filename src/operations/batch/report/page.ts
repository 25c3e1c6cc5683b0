import { type Html, html, join } from "../../../base/html.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { css } from "./css.ts";
import { metricCards, metricTiles } from "./metric-cards.ts";
import { areaPlot, niceMax } from "./plots.ts";
import { grouped, number, tile } from "./words.ts";

/** A run and what it came to, as the operation `batchReport` tells it. */
export interface ReportedRun {
  readonly run_id: string;
  readonly name: string | null;
  readonly state: string;
  readonly processor: string;
  readonly input: string;
  readonly output: string;
  readonly done_count: number;
  readonly failed_count: number;
  readonly duration_s: number;
}

/**
 * The report as one file: nothing in it is loaded from elsewhere or run, and a policy in its head says so to the browser.
 * Every text goes through `html`, which escapes it.
 */
export function reportPage(run: ReportedRun, stats: JsonObject, madeAt: string): string {
  const { run_id, name, state, processor, input, output, done_count, failed_count, duration_s } = run;
  const metrics = objectOf(stats.metrics);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Batch run ${name ?? run_id}</title><style>${css}</style></head><body><main>
<p class="eyebrow">swarm batch report</p>
<h1>${name ?? run_id}</h1>
<p class="summary">${processor} over ${input}, ${state}</p>
${warningList(metrics.warnings)}
<div class="tiles">
${tile(grouped(done_count), "records done")}
${tile(grouped(failed_count), "records failed")}
${tile(number(stats.records_per_s), "records per second")}
${tile(`${number(duration_s)} s`, "in all")}
${metricTiles(metrics)}
</div>
<div class="cards">
${metricCards(metrics)}
${latencyCard(objectOf(stats.latency_ms))}
${countsCard("Errors", objectOf(stats.error_classes))}
${throughputCard(stats.throughput)}
${modelCard(objectOf(metrics.model))}
</div>
<footer>Run ${run_id}, results in ${output}. Made ${madeAt}.</footer>
</main></body></html>
`;
  return page.text;
}

function warningList(warnings: unknown): Html {
  if (!Array.isArray(warnings) || warnings.length === 0) return html``;
  return html`<ul class="warnings">${join(warnings.map((warning) => html`<li>${String(warning)}</li>`))}</ul>`;
}

function throughputCard(series: unknown): Html {
  const { interval_ms, records } = objectOf(series);
  if (!Array.isArray(records) || records.length === 0) return html``;
  const seconds = Number(interval_ms) / 1000;
  const rates = records.map((count, index) => [index * seconds, Number(count) / seconds] as const);
  // A run of less than an interval is a level, not a point.
  const curve = rates.length === 1 ? [...rates, [seconds, rates[0]?.[1] ?? 0] as const] : rates;
  const x = { from: 0, to: curve.at(-1)?.[0] ?? 1, title: "seconds" };
  const y = { from: 0, to: niceMax(Math.max(...rates.map(([, rate]) => rate))), title: "records per second" };
  return html`<section class="card wide"><h2>Throughput</h2><p class="soft">Records per second, over the time of the run.</p>${areaPlot({ x, y, width: 980 }, curve)}</section>`;
}

function latencyCard(latency: JsonObject): Html {
  const names = ["p50", "p90", "p95", "p99", "p999", "max"].filter((name) => latency[name] !== undefined);
  if (names.length === 0) return html``;
  const rows = names.map((name) => html`<tr><th>${name}</th><td>${number(latency[name])} ms</td></tr>`);
  return html`<section class="card"><h2>Latency of a record</h2><table>${join(rows)}</table></section>`;
}

function countsCard(title: string, counts: JsonObject): Html {
  const rows = Object.entries(counts).map(
    ([name, count]) => html`<tr><th>${name}</th><td>${grouped(Number(count))}</td></tr>`,
  );
  return rows.length === 0
    ? html``
    : html`<section class="card"><h2>${title}</h2><table>${join(rows)}</table></section>`;
}

function modelCard(model: JsonObject): Html {
  const rows = Object.entries(model).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return html`<tr><th>${name.replaceAll("_", " ")}</th><td class="text">${text}</td></tr>`;
  });
  return rows.length === 0
    ? html``
    : html`<section class="card wide"><h2>Model</h2><table>${join(rows)}</table></section>`;
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}
