import { join } from "node:path";
import { Readable } from "node:stream";
import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { parseJson } from "../../base/parse-json.ts";
import { flag, type JsonObject, oneOf, required, text } from "../../engine/events/schema.ts";
import { realPath } from "../../policy/rules/files/real-path.ts";
import { batchFields, batchStates, type StoredBatchRun } from "./port/batch-run.ts";
import { batchReportSchema, batchSchema, describeBatch } from "./describe-batch.ts";
import { driftOf } from "../drift/describe-drift-mark.ts";
import { fileAnswer } from "../../daemon/server/file-range.ts";
import { page, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { type Context, route, type StreamedRequest } from "../../daemon/rest/route.ts";

const runId = { run_id: required(text("Id of the run.")) };
const linesType = "application/x-ndjson";

/** A run's settings as parameters of an address, where an object is written as JSON. */
const settings = { ...batchFields, config: text(batchFields.config.doc) };

/** One of the files a run writes a line at a time. */
function linesRoute<const Which extends "results" | "errors">(which: Which) {
  return route({
    method: "GET",
    path: `/api/v1/batch/{run_id}/${which}`,
    summary: `Get ${which}.jsonl as far as it is durable, or a range of it`,
    role: "operator",
    params: runId,
    takesStream: true,
    answersType: linesType,
    response: { type: "string" },
    async handle({ runtime }, { params: { run_id }, stream }) {
      const run = await (await runtime.batch.open()).find(run_id);
      return linesOf(run, which, stream);
    },
  });
}

/**
 * Batch runs. `echo` runs no code, and an operator may have it done to records that are sent; all else runs as the user,
 * or reads and writes the user's files, and is an admin's. Whoever may look sees how far runs have come, not their data.
 */
export const batchRoutes = {
  listBatchRuns: route({
    method: "GET",
    path: "/api/v1/batch",
    summary: "List the batch runs, newest first",
    query: { ...paging, state: oneOf(batchStates, "Only runs in this state.") },
    response: pageSchema(batchSchema),
    async handle({ runtime }, { query }) {
      const runs = await runtime.batch.open();
      const { state } = query;
      const found = await page(
        positionOf(query),
        (position) => runs.list({ ...position, state }),
        ({ seq }) => seq,
      );
      return { ...found, items: await Promise.all(found.items.map((run) => shown(runtime, run))) };
    },
  }),

  submitBatch: route({
    method: "POST",
    path: "/api/v1/batch/{run_id}",
    summary:
      "Submit a batch run: records as JSON lines in the body, plain or gzip, or the file that `input` names",
    params: runId,
    query: settings,
    takesStream: true,
    response: batchSchema,
    async handle(context, { params: { run_id }, query, stream }) {
      const settings = { ...query, config: configOf(query.config) };
      checkPaths(context, query);
      if (query.processor !== "echo") needAdmin(context, `a run of processor ${query.processor}`);
      if (query.input !== undefined) refuseBody(stream);
      const records = query.input === undefined ? recordsOf(stream) : null;
      const runs = await context.runtime.batch.open();
      return shown(context.runtime, await runs.submit({ run_id, settings, records, actor: context.actor }));
    },
  }),

  batchStatus: route({
    method: "GET",
    path: "/api/v1/batch/{run_id}/status",
    summary: "Tell how far a batch run has come",
    params: runId,
    response: batchSchema,
    async handle({ runtime }, { params: { run_id } }) {
      return shown(runtime, await (await runtime.batch.open()).find(run_id));
    },
  }),

  batchReport: route({
    method: "GET",
    path: "/api/v1/batch/{run_id}/report",
    summary: "Tell what a batch run came to: counts, error classes, latencies, throughput",
    params: runId,
    response: batchReportSchema,
    async handle({ runtime }, { params: { run_id } }) {
      const runs = await runtime.batch.open();
      const run = await runs.find(run_id);
      return { ...(await shown(runtime, run)), stats: runs.stats(run) };
    },
  }),

  batchResults: linesRoute("results"),
  batchErrors: linesRoute("errors"),

  resumeBatch: route({
    method: "POST",
    path: "/api/v1/batch/{run_id}/resume",
    summary: "Go on with a batch run that failed, was cancelled or interrupted, from its last checkpoint",
    params: runId,
    response: batchSchema,
    async handle(context, { params: { run_id } }) {
      const runs = await context.runtime.batch.open();
      const { processor, spec } = await runs.find(run_id);
      checkPaths(context, { ...(spec as { output: string }), input: undefined });
      if (processor !== "echo") needAdmin(context, `a run of processor ${processor}`);
      return shown(context.runtime, await runs.resume(run_id, context.actor));
    },
  }),

  cancelBatch: route({
    method: "DELETE",
    path: "/api/v1/batch/{run_id}",
    summary: "End a batch run that is under way; with `purge` forget one that is over, with its files",
    params: runId,
    query: { purge: flag("Forget the run and remove its files; an admin's. Default false.") },
    response: batchSchema,
    async handle(context, { params: { run_id }, query: { purge = false } }) {
      if (purge) needAdmin(context, "removing a run");
      const runs = await context.runtime.batch.open();
      const { actor } = context;
      return shown(context.runtime, await (purge ? runs.purge(run_id, actor) : runs.cancel(run_id, actor)));
    },
  }),
};

/** A run as it is, and what a drift check has found of it. */
async function shown(runtime: Context["runtime"], run: StoredBatchRun) {
  const drift = await driftOf(runtime, { kind: "batch", run_id: run.run_id });
  return { ...describeBatch(run), drift };
}

function configOf(written: string | undefined): JsonObject | undefined {
  if (written === undefined) return undefined;
  try {
    return parseJson(written) as JsonObject;
  } catch (error) {
    const expected = `JSON (${(error as Error).message})`;
    throw invalidOption("query", "config", expected, written);
  }
}

/** Whoever names a file has it read or written as the user, whose token and keys are files, too. */
function checkPaths(context: Context, paths: { readonly input?: unknown; readonly output?: unknown }): void {
  const own = `${realPath(join(context.runtime.home, "batch"))}/`;
  for (const path of [paths.input, paths.output]) {
    if (typeof path !== "string" || realPath(path).startsWith(own)) continue;
    needAdmin(context, "a path outside of batch in SWARM_HOME");
  }
}

function needAdmin({ caller: { name, role } }: Context, operation: string): void {
  if (role !== "admin")
    throw new SwarmError("SWARM_ROLE_REFUSED", { name, role, needed: "admin", operation });
}

/** Records nobody reads are a mistake somebody should hear of. */
function refuseBody(stream: StreamedRequest | undefined): void {
  const isSent = (stream?.header("content-length") ?? "0") !== "0" || stream?.header("transfer-encoding");
  if (!isSent) return;
  throw invalidOption("request", "body", "none beside input", "records");
}

/** The first bytes say whether they are compressed; what a caller says of it must not be something else. */
function recordsOf(stream: StreamedRequest | undefined): AsyncIterable<Uint8Array> {
  const encoding = stream?.header("content-encoding") ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip")
    throw invalidOption("header", "content-encoding", "gzip or none", encoding);
  return stream?.body ?? Readable.from([]);
}

/** Durable bytes never change, and only more are added: their number names them. */
function linesOf(run: StoredBatchRun, which: "results" | "errors", stream: StreamedRequest | undefined) {
  const bytes = which === "results" ? run.results_bytes : run.errors_bytes;
  const file = join((run.spec as { output: string }).output, `${which}.jsonl`);
  const part = { file, bytes, type: linesType, tag: `${run.run_id}-${run.created_at}-${bytes}` };
  return fileAnswer(part, stream ?? { header: () => undefined, body: null });
}
