import { type Html, html, join } from "../../../base/html.ts";
import {
  type DriftResult,
  type FeatureResult,
  quantileShares,
  type SideData,
  type SideResult,
} from "../result.ts";
import { css } from "./css.ts";
import { plotOf } from "./svg.ts";
import { grouped, percent, pValue, shown } from "./words.ts";

/** Those with findings come first; a report of thousands of plots is read by nobody. */
const maxDrawn = 100;

/**
 * The report as one file: nothing in it is loaded from elsewhere or run, and a policy in its head says so to the browser.
 * Every text goes through `html`, which escapes it.
 */
export function reportPage(result: DriftResult): string {
  const { name, message, is_drift, features, findings, baseline, window, check_id, time } = result;
  const left = features.length - maxDrawn;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Drift: ${name}</title><style>${css}</style></head><body><main>
<p class="eyebrow">swarm drift check</p>
<h1>${name}</h1>
<p class="verdict ${is_drift ? "bad" : "good"}">${message}</p>
<div class="tiles">
${tile(grouped(baseline.rows), "records in the baseline")}
${tile(grouped(window.rows), windowWords(result))}
${tile(grouped(features.length), "features compared")}
${tile(grouped(findings.length), "findings over their thresholds")}
</div>
<div class="card scroll"><table class="sides"><thead><tr><th></th><th>Source</th><th>Left out</th><th>SHA-256 of the data</th></tr></thead><tbody>
${sideRow("Baseline", baseline)}
${sideRow("Window", window)}
</tbody></table></div>
<p class="legend"><span><i class="b"></i>Baseline</span><span><i class="n"></i>Window</span></p>
${join(features.slice(0, maxDrawn).map(card))}
${left > 0 ? html`<p class="soft">${grouped(left)} more features without findings are in result.json.</p>` : html``}
<footer>Check ${check_id}, ${time}. KS: widest gap between the two distribution functions, the dashed line shows where. PSI: population stability index over tenths of the baseline, or over categories. The outermost bars of a plot hold all beyond it, 1 % of either side at most.</footer>
</main></body></html>
`;
  return page.text;
}

function tile(number: string, about: string): Html {
  return html`<div class="tile"><b>${number}</b><span>${about}</span></div>`;
}

function windowWords({ window_hours }: DriftResult): string {
  return window_hours === null ? "records in the window" : `records in the window of ${window_hours} h`;
}

function sideRow(title: string, { source, files, outside, undated, unread, omitted }: SideData): Html {
  const left = [
    [outside, "outside the window"],
    [undated, "without a time"],
    [unread, "not readable"],
    [omitted, "values in fields over the limit"],
  ] as const;
  const words = left.filter(([count]) => count > 0).map(([count, about]) => `${grouped(count)} ${about}`);
  const digests = files.slice(0, 3).map(({ sha256 }) => html`<code>${sha256.slice(0, 16)}…</code>`);
  const more = files.length > 3 ? html` and ${String(files.length - 3)} more` : html``;
  return html`<tr><th>${title}</th><td>${source}</td><td>${words.join(", ") || "nothing"}</td><td>${join(digests)}${more}</td></tr>`;
}

function card(result: FeatureResult): Html {
  const { feature, findings, kind, schema_change, not_compared, new_categories } = result;
  const notes = [
    schema_change !== null && findings.every(({ check }) => check !== "schema")
      ? `Schema: ${schema_change}.`
      : "",
    not_compared === null ? "" : `Not compared: ${not_compared}.`,
    new_categories === null || new_categories.names.length === 0
      ? ""
      : `New categories, ${percent(new_categories.share)} of values: ${new_categories.names.join(", ")}.`,
  ].filter((note) => note !== "");
  return html`<section class="card${findings.length > 0 ? " bad" : ""}">
<div class="head"><h2>${feature}</h2><span class="soft">${kind}</span></div>
${join(findings.map(({ message }) => html`<p class="finding">${message}</p>`))}
${join(notes.map((note) => html`<p class="soft">${note}</p>`))}
${plotOf(result)}
<p>${testsOf(result)}</p>
${kind === "numeric" ? html`<div class="scroll">${numbers(result)}</div>` : html``}
</section>`;
}

function testsOf({ ks, psi, chi2, missing_change, baseline, window }: FeatureResult): string {
  const bound = ks === null || ks.error_bound === 0 ? "" : ` ± ${shown(ks.error_bound)}`;
  const parts = [
    ks === null ? "" : `KS ${shown(ks.statistic)}${bound}, p ${pValue(ks.p_value)}`,
    chi2 === null
      ? ""
      : `χ² ${shown(chi2.statistic)} at ${chi2.degrees_of_freedom} degrees of freedom, p ${pValue(chi2.p_value)}`,
    psi === null ? "" : `PSI ${shown(psi)}`,
    `missing ${percent(baseline.missing_rate)} → ${percent(window.missing_rate)}${missing_change === 0 ? "" : ` (${missing_change > 0 ? "+" : "−"}${percent(Math.abs(missing_change))})`}`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function numbers({ baseline, window }: FeatureResult): Html {
  const heads = ["mean", "least", ...quantileShares.slice(1, -1).map((share) => `${share * 100} %`), "most"];
  const row = (title: string, { mean, quantiles }: SideResult) =>
    html`<tr><td>${title}</td>${join([mean, ...(quantiles ?? [])].map((value) => html`<td>${shown(value)}</td>`))}</tr>`;
  return html`<table><thead><tr><th></th>${join(heads.map((head) => html`<th>${head}</th>`))}</tr></thead><tbody>
${row("Baseline", baseline)}
${row("Window", window)}
</tbody></table>`;
}
