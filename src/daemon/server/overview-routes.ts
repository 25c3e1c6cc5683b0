import { SwarmError } from "../../base/errors.ts";
import { version } from "../../base/version.ts";
import { describeEvent } from "../../engine/events/describe-event.ts";
import { eventNames } from "../../engine/events/names.ts";
import { text } from "../../engine/events/schema.ts";
import { recordedChanges } from "../../record/port/run-event.ts";
import { mostCounted } from "../../operations/webhooks/port/outbox-store.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { pageOf } from "../rest/page.ts";
import { route } from "../rest/route.ts";
import { closed } from "../rest/schemas.ts";
import { checkFolder } from "../rest/values.ts";
import { count, string, stringOrNull, strings } from "../rest/shapes.ts";
import { describeProtection, protectionSchema } from "./describe-protection.ts";

const denialsMs = 24 * 3_600_000;
const maxPending = 1_000;

/** What there is, at a glance. */
export const overviewRoutes = {
  showOverview: route({
    method: "GET",
    path: "/api/v1/overview",
    summary: "Tell at a glance what is in force, what waits for somebody and which agents are proven to obey",
    query: { cwd: text("Folder whose configuration counts; default the daemon's.") },
    response: closed({
      version: string,
      pid: count,
      address: stringOrNull,
      config_files: strings,
      config_problem: { ...stringOrNull, description: "Why the files as they are now are not in force." },
      ...protectionSchema,
      denials_24h: { ...count, description: "At most 1000." },
      pending_approvals: { ...count, description: `At most ${maxPending}.` },
      pending_deliveries: { ...count, description: `At most ${mostCounted}.` },
      dead_deliveries: { ...count, description: `At most ${mostCounted}.` },
      open_targets: count,
      recorded: { ...count, description: "Rows." },
      signed: { ...count, description: "Rows that are covered by the signed head." },
    }),
    async handle({ runtime, address }, { query: { cwd } }) {
      checkFolder("query", cwd);
      const { store } = runtime;
      await runtime.approvals.expire();
      const pending = await store.approvals.list({ status: "pending", limit: maxPending });
      const { pending: pending_deliveries, dead, open_targets } = await store.outbox.totals();
      return {
        version: version(),
        pid: process.pid,
        address,
        ...(await configOf(runtime, cwd)),
        ...(await describeProtection(runtime, cwd)),
        denials_24h: await store.recentDenials(new Date(Date.now() - denialsMs).toISOString()),
        pending_approvals: pending.length,
        pending_deliveries,
        dead_deliveries: dead,
        open_targets,
        recorded: (await store.head()).seq,
        signed: (await store.signedHead())?.seq ?? 0,
      };
    },
  }),

  showProtection: route({
    method: "GET",
    path: "/api/v1/protection",
    summary: "Tell what can stop a call in a folder, and which agents are guarded by it and proven to obey",
    query: { cwd: text("Folder whose configuration counts; default the daemon's.") },
    response: closed(protectionSchema),
    async handle({ runtime }, { query: { cwd } }) {
      checkFolder("query", cwd);
      return describeProtection(runtime, cwd);
    },
  }),

  showCatalog: route({
    method: "GET",
    path: "/api/v1/catalog",
    summary: "List the events there are, and what else rows of the record tell of",
    response: pageOf(
      closed({
        event: string,
        when: string,
        aliases: strings,
        matches: { ...stringOrNull, description: "The field a hook's matcher reads." },
        rewrites: strings,
        verdicts: strings,
        deny: { ...string, description: "What deny means." },
        fields: { type: "array", items: { type: "object" } },
      }),
      { changes: strings },
    ),
    async handle() {
      return { items: eventNames.map(describeEvent), changes: [...recordedChanges] };
    },
  }),
};

/** A file that is broken is part of the overview, not the end of it. */
async function configOf(runtime: Runtime, cwd: string | undefined) {
  try {
    const project = await runtime.projects.refresh(cwd);
    return { config_files: project.config.files, config_problem: project.problem?.message ?? null };
  } catch (error) {
    if (!(error instanceof SwarmError && error.code.startsWith("SWARM_CONFIG_"))) throw error;
    return { config_files: [], config_problem: error.message };
  }
}
