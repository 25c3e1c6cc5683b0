import { lstatSync } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { integer, object, required, text, texts } from "../../engine/events/schema.ts";
import { fileAnswer } from "../../daemon/server/file-range.ts";
import { pageOf, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { count, sha256, string, stringOrNull, time } from "../../daemon/rest/shapes.ts";

const reportType = "text/html; charset=utf-8";
const numberOrNull = { type: ["number", "null"] } as const;
const listOf = (items: object) => ({ type: "array", items }) as const;

const files = listOf(closed({ path: string, bytes: count, sha256 }));
const findings = listOf(
  closed({
    feature: string,
    check: { enum: ["ks", "psi", "chi2_p", "missing", "new_categories", "schema"] },
    value: numberOrNull,
    threshold: numberOrNull,
    message: string,
  }),
);
const side = closed({
  source: string,
  files,
  rows: count,
  outside: { ...count, description: "Records of another time." },
  undated: { ...count, description: "Records without a time that can be read." },
  unread: { ...count, description: "Rows that cannot be read." },
  omitted: { ...count, description: "Values in fields over the most that are looked at." },
});

const result = {
  version: { const: 1 },
  check_id: string,
  name: string,
  time,
  cwd: string,
  baseline: side,
  window: side,
  window_hours: numberOrNull,
  is_drift: { type: "boolean", description: "Whether anything is over its threshold." },
  message: string,
  findings,
  features: {
    ...listOf({ type: "object" }),
    description: "Each with its tests and what to draw; docs/drift.md.",
  },
} as const;
const checkSchema = closed({ ...result, report_path: string });

const planned = closed({ source: string, files: listOf(string) });
const planSchema = closed({
  baseline: planned,
  window: planned,
  period: { anyOf: [closed({ from: time, until: time, timestamp_field: stringOrNull }), { type: "null" }] },
  thresholds: { type: "object" },
  feature_thresholds: { type: "object" },
  min_rows: count,
  lines: { ...listOf(string), description: "The same in words." },
});

const summarySchema = closed({
  check_id: string,
  name: string,
  time,
  is_drift: { type: "boolean" },
  message: string,
  baseline: { ...string, description: "What was compared with, in words." },
  window: { ...string, description: "What was looked at." },
  window_hours: numberOrNull,
  features: { ...count, description: "Features that were compared." },
  drifted: { ...count, description: "Those with something over its threshold." },
  report_path: string,
});

const baseline = {
  name: string,
  source: { ...string, description: "The file or run it was made of." },
  rows: count,
  features: count,
  data_digest: { ...sha256, description: "Of the data." },
  summary_digest: { ...sha256, description: "Of what is kept of them." },
  set_at: time,
  set_by: string,
} as const;
const baselineSchema = closed(baseline);
const shownBaselineSchema = closed({
  ...baseline,
  files,
  schema: listOf(
    closed({
      feature: string,
      type: stringOrNull,
      present: count,
      categories: { type: ["integer", "null"] },
    }),
  ),
});

const cwd = text("Where relative paths begin and whose hooks hear of it; default SWARM_HOME.");
const config = required(object("What to compare, as `config` of a drift_check job."));
const baselineName = { name: required(text("Name of the baseline.")) };

/**
 * Drift checks. Whoever names a file has it read with the daemon's rights: as with jobs that is an admin's, and an
 * operator sees what came of it.
 */
export const driftRoutes = {
  checkDrift: route({
    method: "POST",
    path: "/api/v1/drift/checks",
    summary: "Compare data with a baseline now; answers when it is done",
    role: "admin",
    body: { config, name: text("Name of the alert, if there is one; default drift."), cwd },
    response: checkSchema,
    async handle({ runtime, actor }, { body }) {
      checkFolder("body", body.cwd);
      const { name = "drift", cwd = runtime.home } = body;
      const drift = await runtime.drift.open();
      const call = { name, cwd, actor, signal: drift.ended };
      const { result, report_path } = await drift.check(body.config, call);
      return { ...result, report_path };
    },
  }),

  planDrift: route({
    method: "POST",
    path: "/api/v1/drift/plan",
    summary: "Show what a check would compare, and read nothing of it",
    role: "admin",
    body: { config, cwd },
    response: planSchema,
    async handle({ runtime }, { body }) {
      checkFolder("body", body.cwd);
      return (await runtime.drift.open()).plan(body.config, body.cwd ?? runtime.home);
    },
  }),

  listDriftChecks: route({
    method: "GET",
    path: "/api/v1/drift/checks",
    summary: "List the drift checks that were made, newest first",
    role: "operator",
    query: { limit: integer("At most this many, 1 to 1000; default 50.") },
    response: pageOf(summarySchema),
    async handle({ runtime }, { query }) {
      const { limit } = positionOf(query);
      return { items: (await runtime.drift.open()).checks.list(limit) };
    },
  }),

  showDriftCheck: route({
    method: "GET",
    path: "/api/v1/drift/checks/{id}",
    summary: "Show the result of one drift check",
    role: "operator",
    params: { id: required(text("Id of the check: a run's, or its own.")) },
    response: checkSchema,
    async handle({ runtime }, { params: { id } }) {
      const { checks } = await runtime.drift.open();
      return { ...checks.find(id), report_path: checks.reportOf(id) };
    },
  }),

  getDriftReport: route({
    method: "GET",
    path: "/api/v1/drift/checks/{id}/report",
    summary: "Get the report of a drift check, one page that loads and runs nothing",
    role: "operator",
    params: { id: required(text("Id of the check.")) },
    takesStream: true,
    answersType: reportType,
    response: string,
    async handle({ runtime }, { params: { id }, stream }) {
      const { checks } = await runtime.drift.open();
      const { check_id, time: made } = checks.find(id);
      const file = checks.reportOf(id);
      const stats = lstatSync(file, { throwIfNoEntry: false });
      if (stats?.isFile() !== true) throw new SwarmError("SWARM_DRIFT_CHECK_UNKNOWN", { check: id });
      const { size: bytes } = stats;
      const tag = `${check_id}-${made}-${bytes}`;
      const part = { file, bytes, type: reportType, tag, saveAs: `drift-${check_id}.html` };
      return fileAnswer(part, stream ?? { header: () => undefined, body: null });
    },
  }),

  listBaselines: route({
    method: "GET",
    path: "/api/v1/baselines",
    summary: "List the baselines",
    role: "operator",
    response: pageOf(baselineSchema),
    async handle({ runtime }) {
      return { items: await (await runtime.drift.open()).baselines.list() };
    },
  }),

  showBaseline: route({
    method: "GET",
    path: "/api/v1/baselines/{name}",
    summary: "Show one baseline and the fields of its data",
    role: "operator",
    params: baselineName,
    response: shownBaselineSchema,
    async handle({ runtime }, { params: { name } }) {
      return (await runtime.drift.open()).baselines.show(name);
    },
  }),

  setBaseline: route({
    method: "PUT",
    path: "/api/v1/baselines/{name}",
    summary: "Read data once and keep what drift checks need of them, under a name",
    role: "admin",
    params: baselineName,
    body: {
      source: required(text("A path, or the id of a batch or pipeline run.")),
      output: text("Of a pipeline run: the step or file with the data."),
      features: texts("Only these fields, as dotted paths."),
      ignore: texts("Fields that are left out."),
      categorical: texts("Fields whose numbers are names."),
      cwd,
    },
    response: baselineSchema,
    async handle({ runtime, actor }, { params: { name }, body: { cwd, ...given } }) {
      checkFolder("body", cwd);
      const { baselines, ended } = await runtime.drift.open();
      return baselines.set({ name, ...given }, cwd ?? runtime.home, actor, ended);
    },
  }),
};
