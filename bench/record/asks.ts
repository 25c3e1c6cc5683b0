import { routes } from "../../src/daemon/server/routes.ts";
import { hookIds } from "./rows.ts";

/** What is asked of a route: its parameters and its query. */
export interface Ask {
  readonly route: RouteName;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

type RouteName = keyof typeof routes;
type Given = Readonly<Record<string, string>>;

/** Every hour of the thirty days the record spans is as dense as any other. */
const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const query = (...all: Given[]): Omit<Ask, "route">[] => all.map((each) => ({ params: {}, query: each }));
const params = (...all: Given[]): Omit<Ask, "route">[] => all.map((each) => ({ params: each, query: {} }));

/** What is asked of each route that reads the store, so that few, many and no rows fit; the least common ones are the oldest. */
const asked: Partial<Record<RouteName, readonly Omit<Ask, "route">[]>> = {
  listTokens: query({}),
  showOverview: query({}),
  showProtection: query({}),
  listApprovals: query({}, { status: "pending" }, { status: "denied" }),
  showApproval: params({ id: "appr_3" }),
  listApprovers: query({}),
  outboxStatus: query({}),
  listDeliveries: query(
    {},
    { state: "pending" },
    { state: "dead" },
    { hook_id: "hook_old" },
    { hook_id: "none" },
  ),
  showDelivery: params({ id: "del_3" }),
  listFlags: query({}),
  listBaselines: query({}),
  listEvents: query(
    {},
    { limit: "1000" },
    { kind: "emit" },
    { kind: "login" },
    { kind: "change" },
    { event: "tool.before" },
    { event: "session.start" },
    { verdict: "deny" },
    { verdict: "ask" },
    { since: since(-1) },
    { since: since(0.01) },
    { since: since(29.9), cursor: "100" },
    { session: "session-3" },
    { session: "none" },
    { session: "session-3", verdict: "ask" },
    { hook_id: hookIds.busy },
    { hook_id: hookIds.rare },
    { hook_id: hookIds.idle },
    { hook_id: hookIds.busy, verdict: "deny" },
    { hook_id: hookIds.busy, verdict: "ask" },
    { event: "tool.after", kind: "emit", verdict: "deny", since: since(1) },
  ),
  followEvents: params({ seq: "10" }, { seq: "90000" }),
  showEvent: params({ id: "evt_10" }),
  listHookRuns: params({ id: hookIds.busy }, { id: hookIds.rare }, { id: hookIds.idle }),
  listHooks: query({}),
  listSessions: query({}, { cursor: "5000" }),
  listTrust: query({}),
  listTrustedFiles: query({}),
  listPlugins: query({}),
  listPluginRuns: query({}, { plugin: "old" }, { plugin: "none" }),
  signedHead: query({}),
  listCronJobs: query({}, { name: "job-3" }),
  showCronJob: params({ id: "job_3" }),
  listCronRuns: params({ id: "job_0" }, { id: "job_1" }),
  showCronRun: params({ id: "run_3" }),
  listPipelineRuns: query({}, { pipeline: "old" }, { pipeline: "none" }),
  showPipelineRun: params({ id: "prun_3" }),
  listModels: query({}),
  listModelVersions: params({ model: "churn" }),
  showModelVersion: params({ model: "churn", version: "3" }),
  listBatchRuns: query({}, { state: "failed" }, { state: "running" }),
  batchStatus: params({ run_id: "batch_3" }),
};

const swarm = "rows of the swarm, of which a record of decisions has none";

/** Routes that read no list of the store, or all of the record in a thread of its own, which is timed by itself. */
export const notAsked: Partial<Record<RouteName, string>> = {
  whoAmI: "the caller",
  showCatalog: "a table of the program",
  listDriftChecks: "files of drift checks",
  showDriftCheck: "a file",
  getDriftReport: "a file",
  showBaseline: "a row by its name, and a file",
  showHook: "a hook as listHooks has it",
  showPolicy: "configuration files",
  showTrust: "configuration files",
  showTrustedFile: "a file, and a row by its digest",
  planPlugin: "a folder",
  verifyAudit: "timed by itself",
  previewAuditPdf: "a thread of its own: suite pdf",
  listAuditPdfs: "files",
  getAuditPdf: "a file",
  getAuditPdfManifest: "a file",
  previewSchedule: "arithmetic",
  exportCronJobs: "every job there is",
  listPipelines: "configuration files",
  planPipeline: "files of a pipeline",
  showPipelineLog: "a file",
  batchReport: "a file",
  batchResults: "a file",
  batchErrors: "a file",
  health: "nothing",
  listTasks: swarm,
  listReadyTasks: swarm,
  countTasks: swarm,
  showTask: swarm,
  showTaskTree: swarm,
  showOwnTask: swarm,
  listAgents: swarm,
  showAgent: swarm,
  listMail: swarm,
  showMail: swarm,
};

export const asks: readonly Ask[] = Object.entries(asked).flatMap(([route, all]) =>
  all.map((each) => ({ route: route as RouteName, ...each })),
);

export function nameOf({ route, query, params }: Ask): string {
  const given = Object.entries({ ...params, ...query }).map(([key, value]) => `${key}=${value}`);
  return [route, ...given].join(" ").replaceAll(/=\d{4}-\d\d-\d\dT[\d:.]+Z/g, "=…");
}

export function pathOf({ route, params, query }: Ask): string {
  const path = routes[route].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  return `${path}?${new URLSearchParams(query)}`;
}
