import { type Html, html, join } from "../../../base/html.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { barPlot, curvePlot, dotPlot, niceMax, type Point } from "./plots.ts";
import { grouped, number, tile } from "./words.ts";

const share = (title: string) => ({ from: 0, to: 1, title });
const diagonal: readonly Point[] = [
  [0, 0],
  [1, 1],
];

/** The numbers a model is judged by, as far as it has them. */
export function metricTiles(metrics: JsonObject): Html {
  const named = {
    accuracy: "accuracy",
    precision: "precision",
    recall: "recall",
    f1: "F1",
    roc_auc: "area under ROC",
    pr_auc: "area under precision-recall",
    log_loss: "log loss",
    brier: "Brier score",
    rmse: "RMSE",
    mae: "MAE",
    r2: "R²",
  };
  const tiles = Object.entries(named)
    .filter(([name]) => typeof metrics[name] === "number")
    .map(([name, about]) => {
      const error = Number(metrics[`${name}_error`] ?? 0);
      return tile(number(metrics[name]), error > 0 ? `${about}, ± ${number(error)}` : about);
    });
  return join(tiles);
}

export function metricCards(metrics: JsonObject): Html {
  const { roc = [], pr = [] } = (metrics.curves ?? {}) as Record<string, readonly Point[]>;
  return join([
    rocCard(roc),
    prCard(pr),
    calibrationCard(metrics),
    histogramCard(metrics),
    confusionCard(metrics),
  ]);
}

function rocCard(curve: readonly Point[]): Html {
  if (curve.length === 0) return html``;
  const axes = { x: share("false positive rate"), y: share("true positive rate") };
  return card(
    "ROC",
    "True positives over false positives, at every threshold.",
    curvePlot(axes, curve, diagonal),
  );
}

function prCard(curve: readonly Point[]): Html {
  if (curve.length === 0) return html``;
  const axes = { x: share("recall"), y: share("precision") };
  // At the lowest threshold all are positive: that is what chance would have, everywhere.
  const chance = curve.at(-1)?.[1] ?? 0;
  const level: readonly Point[] = [
    [0, chance],
    [1, chance],
  ];
  return card("Precision and recall", "Of those found, how many are right.", curvePlot(axes, curve, level));
}

interface CalibrationBin {
  readonly count: number;
  readonly mean_score: number;
  readonly positive_share: number;
}

function calibrationCard({ calibration }: JsonObject): Html {
  const { bins = [], expected_error } = (calibration ?? {}) as {
    bins?: readonly CalibrationBin[];
    expected_error?: number;
  };
  if (bins.length === 0) return html``;
  const dots = bins.map(({ count, mean_score, positive_share }) => ({
    at: [mean_score, positive_share] as const,
    weight: count,
  }));
  const axes = { x: share("mean score"), y: share("share of positives") };
  const about = `What a score of 0.7 means. Expected error ${number(expected_error)}.`;
  return card("Calibration", about, dotPlot(axes, dots, diagonal));
}

interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly unlabelled: number;
  readonly negative: number;
  readonly positive: number;
}

function histogramCard({ score_histogram, task }: JsonObject): Html {
  const bars = (score_histogram ?? []) as readonly HistogramBar[];
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const colours = { negative: "first", positive: "second", unlabelled: "soft-fill" } as const;
  const names = Object.keys(colours) as (keyof typeof colours)[];
  const most = Math.max(...bars.map((bar) => names.reduce((sum, name) => sum + bar[name], 0)));
  const isRegression = task === "regression";
  const axes = {
    x: { from: first.from, to: last.to, title: isRegression ? "value" : "score" },
    y: { from: 0, to: niceMax(most), title: "records" },
  };
  const drawn = bars.map((bar) => ({
    from: bar.from,
    to: bar.to,
    parts: names.map((name) => ({ value: bar[name], colour: colours[name] })),
  }));
  const seen = isRegression ? [] : names.filter((name) => bars.some((bar) => bar[name] > 0));
  const legend = seen.map((name) => html`<span><i class="${colours[name]}"></i>${name}</span>`);
  const plot = join([html`<p class="legend">${join(legend)}</p>`, barPlot(axes, drawn)]);
  return card(isRegression ? "Values" : "Scores", "How often each was given.", plot);
}

function confusionCard({ confusion_matrix }: JsonObject): Html {
  const { classes = [], rows = [] } = (confusion_matrix ?? {}) as { classes?: string[]; rows?: number[][] };
  if (rows.length === 0) return html``;
  const most = Math.max(...rows.flat(), 1);
  const head = classes.map((name) => html`<th>${name}</th>`);
  const body = rows.map((row, index) => {
    const cells = row.map((count) => {
      const strength = String(Math.round((count / most) * 50) / 100);
      return html`<td style="background: rgb(var(--cell) / ${strength})">${grouped(count)}</td>`;
    });
    return html`<tr><th>${classes[index] ?? ""}</th>${join(cells)}</tr>`;
  });
  const about = "Rows are the records' own classes, columns the model's.";
  return card(
    "Confusion matrix",
    about,
    html`<div class="scroll"><table><tr><th></th>${join(head)}</tr>${join(body)}</table></div>`,
  );
}

function card(title: string, about: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2><p class="soft">${about}</p>${body}</section>`;
}
