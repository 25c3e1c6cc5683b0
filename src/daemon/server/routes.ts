import { withToolNames } from "../../agents/calls/with-tool-names.ts";
import { SwarmError } from "../../base/errors.ts";
import { version } from "../../base/version.ts";
import { verdicts } from "../../engine/events/decision.ts";
import { outcomeSchema } from "../../engine/events/json-schema.ts";
import { type AnyEventName, canonicalName, isOwnEvent } from "../../engine/events/names.ts";
import { flag, number, object, oneOf, required, text } from "../../engine/events/schema.ts";
import { batchRoutes } from "../../operations/batch/routes.ts";
import { cronRoutes } from "../../operations/cron/routes.ts";
import { driftRoutes } from "../../operations/drift/routes.ts";
import { pipelineRoutes } from "../../operations/pipelines/routes.ts";
import { webhookRoutes } from "../../operations/webhooks/routes.ts";
import { approvalRoutes } from "../../policy/approvals/routes.ts";
import { approverRoutes } from "../../policy/approvers/routes.ts";
import { pluginRoutes } from "../../policy/plugins/routes.ts";
import { describePolicy, policyDescriptionSchema } from "../../policy/rules/describe-policy.ts";
import { fileTrustRoutes } from "../../policy/trust/file-routes.ts";
import { trustRoutes } from "../../policy/trust/routes.ts";
import { acceptRecord } from "../../record/audit/verify-stored.ts";
import { auditPdfRoutes } from "../../record/pdf/routes.ts";
import { runEventKinds } from "../../record/port/run-event.ts";
import { agentRoutes } from "../../swarm/agents/routes.ts";
import { mailRoutes } from "../../swarm/mail/routes.ts";
import { leaseRoutes } from "../../swarm/tasks/lease-routes.ts";
import { taskRoutes } from "../../swarm/tasks/routes.ts";
import { tokenRoutes } from "../access/routes.ts";
import { flagRoutes } from "../flags/routes.ts";
import { page, pageOf, pageSchema, paging, positionOf } from "../rest/page.ts";
import { route } from "../rest/route.ts";
import {
  headSchema,
  healthSchema,
  hookRunSchema,
  recordedSchema,
  runEventSchema,
  sessionSchema,
  verificationSchema,
} from "../rest/schemas.ts";
import { checkFolder, checkOrigin, maxWaitS, rowName, sequenceOf, timeOf } from "../rest/values.ts";
import { policyRoutes } from "../../policy/rules/routes.ts";
import { describeHook, findHook, hookSchema } from "./describe-hook.ts";
import { overviewRoutes } from "./overview-routes.ts";

const folder = { cwd: text("Folder whose configuration counts; default the daemon's.") };
const hookId = { id: required(text("Id of the hook.")) };

/** Every operation there is. */
export const routes = {
  ...tokenRoutes,
  ...overviewRoutes,
  ...approvalRoutes,
  ...policyRoutes,
  ...approverRoutes,
  ...webhookRoutes,
  ...flagRoutes,
  ...driftRoutes,
  ...taskRoutes,
  ...leaseRoutes,
  ...agentRoutes,
  ...mailRoutes,

  emitEvent: route({
    method: "POST",
    path: "/api/v1/events",
    summary: "Decide an event: run its hooks, record it, answer with the outcome",
    body: {
      event: required(text("Any name of docs/events.md.")),
      data: required(object("The payload.")),
      session: text("The session it belongs to."),
      agent: text("The agent it comes from."),
      task: text("The task it belongs to."),
      cwd: text("The folder it comes from: its configuration counts."),
      source: text("What sends it; default rest."),
      wait_s: {
        ...number(
          "How long to wait for a person where one is to be asked, in seconds, at most 3600; default 0.",
        ),
        min: 0,
        max: maxWaitS,
      },
    },
    response: outcomeSchema,
    async handle({ runtime, actor }, { body }) {
      const { event: written, data, wait_s, ...origin } = body;
      const event = canonicalName(written as AnyEventName);
      checkOrigin(origin);
      if (isOwnEvent(event)) throw new SwarmError("SWARM_EVENT_NOT_POSTABLE", { event });
      // Whoever holds the token speaks for the agent it names.
      const who = origin.agent === undefined ? { actor } : {};
      const personWaitMs = wait_s === undefined ? undefined : wait_s * 1_000;
      const from = withToolNames({ source: "rest", ...origin, personWaitMs }, data);
      return (await runtime.events.emit({ event, data, origin: from, ...who })).toJSON();
    },
  }),

  listEvents: route({
    method: "GET",
    path: "/api/v1/events",
    summary: "List the record, newest first",
    query: {
      ...paging,
      event: text("Only this event."),
      kind: oneOf(runEventKinds, "Only rows of this kind."),
      session: text("Only this session."),
      verdict: oneOf(verdicts, "Only this verdict."),
      since: text("Only rows from this ISO time on."),
      hook_id: text("Only rows this hook took part in."),
    },
    response: pageSchema(runEventSchema),
    async handle({ runtime }, { query }) {
      const { event, kind, session, verdict, since, hook_id: hookId } = query;
      const named = event === undefined ? undefined : rowName(event);
      const filters = { event: named, kind, session, verdict, since: timeOf(since), hookId };
      return page(
        positionOf(query),
        (position) => runtime.store.listRunEvents({ ...position, ...filters }),
        ({ seq }) => seq,
      );
    },
  }),

  followEvents: route({
    method: "GET",
    path: "/api/v1/events/after/{seq}",
    summary: "List the rows after a row, oldest first, to follow the record",
    params: { seq: required(text("Sequence number of the last row that is known.")) },
    query: { limit: paging.limit },
    response: pageOf(runEventSchema),
    async handle({ runtime }, { params, query }) {
      const { limit } = positionOf(query);
      return { items: await runtime.store.readRunEvents(sequenceOf(params.seq), limit) };
    },
  }),

  showEvent: route({
    method: "GET",
    path: "/api/v1/events/{id}",
    summary: "Show one row of the record with its payloads",
    params: { id: required(text("Id of the event.")) },
    response: recordedSchema,
    async handle({ runtime }, { params: { id } }) {
      const found = await runtime.store.findRunEvent(id);
      if (found === null) throw new SwarmError("SWARM_RUN_UNKNOWN", { id });
      const payload = await runtime.store.findPayload(found.seq);
      return { ...found, data_before: parsed(payload?.before), data_after: parsed(payload?.after) };
    },
  }),

  listHooks: route({
    method: "GET",
    path: "/api/v1/hooks",
    summary: "List the hooks in force in a folder",
    query: folder,
    response: pageOf(hookSchema, {
      files: { type: "array", items: { type: "string" } },
      problem: { type: ["string", "null"], description: "Why the files as they are now are not in force." },
      skipped: { type: "array", items: { type: "object" } },
    }),
    async handle({ runtime }, { query: { cwd } }) {
      checkFolder("query", cwd);
      const project = await runtime.projects.refresh(cwd);
      const { hooks, files, skipped } = project.config;
      const items = await Promise.all(hooks.map((hook) => describeHook(runtime, project, hook)));
      return { items, files, problem: project.problem?.message ?? null, skipped };
    },
  }),

  showHook: route({
    method: "GET",
    path: "/api/v1/hooks/{id}",
    summary: "Show one hook",
    params: hookId,
    query: folder,
    response: hookSchema,
    async handle({ runtime }, { params: { id }, query: { cwd } }) {
      checkFolder("query", cwd);
      const { project, hook } = await findHook(runtime, id, cwd);
      return describeHook(runtime, project, hook);
    },
  }),

  switchHook: route({
    method: "PATCH",
    path: "/api/v1/hooks/{id}",
    summary: "Enable or disable a hook",
    role: "admin",
    params: hookId,
    query: folder,
    body: { enabled: required(flag("False: the hook is not called until it is enabled again.")) },
    response: hookSchema,
    async handle({ runtime, actor }, { params: { id }, query: { cwd }, body: { enabled } }) {
      checkFolder("query", cwd);
      const { project, hook } = await findHook(runtime, id, cwd);
      await runtime.switches.set(hook.id, enabled, hook.name, actor);
      return describeHook(runtime, project, hook);
    },
  }),

  listHookRuns: route({
    method: "GET",
    path: "/api/v1/hooks/{id}/runs",
    summary: "List a hook's runs, newest first",
    params: hookId,
    query: paging,
    response: pageSchema(hookRunSchema),
    async handle({ runtime }, { params: { id }, query }) {
      return page(
        positionOf(query),
        (position) => runtime.store.listHookRuns(id, position),
        ({ seq }) => seq,
      );
    },
  }),

  showPolicy: route({
    method: "GET",
    path: "/api/v1/policy",
    summary: "Show the permission rules in force in a folder",
    query: folder,
    response: policyDescriptionSchema,
    async handle({ runtime }, { query: { cwd } }) {
      checkFolder("query", cwd);
      const { config, problem } = await runtime.projects.refresh(cwd);
      return describePolicy(config.policy, problem?.message ?? null);
    },
  }),

  listSessions: route({
    method: "GET",
    path: "/api/v1/sessions",
    summary: "List the sessions in the record, the one heard of last first",
    query: paging,
    response: pageSchema(sessionSchema),
    async handle({ runtime }, { query }) {
      return page(
        positionOf(query),
        (position) => runtime.store.listSessions(position),
        ({ last_seq }) => last_seq,
      );
    },
  }),

  ...trustRoutes,
  ...fileTrustRoutes,
  ...pluginRoutes,

  verifyAudit: route({
    method: "GET",
    path: "/api/v1/audit/verify",
    summary: "Check the whole record: every hash, every link, the signature",
    response: verificationSchema,
    async handle({ runtime, signal = null }) {
      return runtime.verify([], signal);
    },
  }),

  acceptAudit: route({
    method: "POST",
    path: "/api/v1/audit/accept",
    summary: "Go on from the record as it is, although it is not the one that was signed last; recorded",
    role: "admin",
    response: verificationSchema,
    async handle({ runtime, actor }) {
      return acceptRecord(runtime, actor);
    },
  }),

  signedHead: route({
    method: "GET",
    path: "/api/v1/audit/head",
    summary: "The signed head of the record, to be kept elsewhere as an anchor",
    response: headSchema,
    async handle({ runtime }) {
      return { head: await runtime.store.signedHead(), public_key: runtime.key.publicKey.pem };
    },
  }),

  ...auditPdfRoutes,
  ...cronRoutes,
  ...pipelineRoutes,
  ...batchRoutes,

  health: route({
    method: "GET",
    path: "/healthz",
    summary: "Tell that the daemon is up",
    response: healthSchema,
    isOpen: true,
    async handle({ address }) {
      return { status: "ok", version: version(), pid: process.pid, address };
    },
  }),
};

function parsed(text: string | null | undefined): unknown {
  return text === null || text === undefined ? null : JSON.parse(text);
}
