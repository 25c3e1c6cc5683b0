import { flag, required, text } from "../../engine/events/schema.ts";
import { pluginRunEndings } from "./port/plugin-store.ts";
import { page, pageOf, pageSchema, paging, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { count, string, stringOrNull, strings, time } from "../../daemon/rest/shapes.ts";

const listOf = (properties: Parameters<typeof closed>[0]) => ({ type: "array", items: closed(properties) });

const pluginSchema = closed({
  name: string,
  version: stringOrNull,
  digest: { ...string, description: "SHA-256 of its files." },
  source: { ...string, description: "The folder it was copied from." },
  enabled: { type: "boolean" },
  hooks: { type: ["integer", "null"], description: "Null while it is disabled." },
  problem: { ...stringOrNull, description: "Why nothing of it runs; its guards deny meanwhile." },
  added_at: time,
  added_by: string,
});

const planSchema = closed({
  name: string,
  version: stringOrNull,
  description: stringOrNull,
  source: string,
  digest: { ...string, description: "What has to be approved to add it." },
  files: listOf({ path: string, bytes: count, is_executable: { type: "boolean" } }),
  hooks: listOf({
    name: string,
    event: string,
    match: string,
    when: { type: ["object", "null"] },
    kind: string,
    mode: string,
    priority: { type: "number" },
    timeout_s: { type: "number" },
    on_failure: string,
    does: { ...string, description: "What it does, in words." },
    refused_why: { ...stringOrNull, description: "Why its program would not be run now." },
  }),
  function_hooks: { ...stringOrNull, description: "A module that runs in swarm's own process." },
  allowed_shell_commands: strings,
  skipped: listOf({ source: string, native_event: string, reason: string }),
  installed: { anyOf: [closed({ version: stringOrNull, digest: string }), { type: "null" }] },
  changes: listOf({ path: string, change: { enum: ["added", "removed", "changed"] }, lines: strings }),
});

const pluginRunSchema = closed({
  seq: count,
  time,
  plugin: string,
  hook: string,
  event: string,
  event_id: string,
  argv: strings,
  digest: { ...string, description: "Of the plugin." },
  ending: { enum: pluginRunEndings },
  exit_code: { type: ["integer", "null"] },
  ms: { type: "number", minimum: 0 },
  bytes: count,
  denied_why: stringOrNull,
});

const name = { name: required(text("Name of the plugin.")) };
const path = required(text("The plugin's folder, as an absolute path."));

/**
 * Plugins: what is installed, what would be, and the programs they ran. Whoever adds one decides what runs on this machine,
 * and a plan shows files of it: both are an admin's.
 */
export const pluginRoutes = {
  listPlugins: route({
    method: "GET",
    path: "/api/v1/plugins",
    summary: "List the installed plugins",
    response: pageOf(pluginSchema),
    async handle({ runtime }) {
      return { items: await runtime.plugins.list() };
    },
  }),

  planPlugin: route({
    method: "GET",
    path: "/api/v1/plugin-plan",
    summary: "Show what a folder would do as a plugin, and what changed since it was added",
    role: "admin",
    query: { path },
    response: planSchema,
    async handle({ runtime }, { query }) {
      checkFolder("query", query.path, "path");
      return runtime.plugins.plan(query.path);
    },
  }),

  addPlugin: route({
    method: "POST",
    path: "/api/v1/plugins",
    summary: "Add a folder as a plugin: a private copy of it runs from the next event on",
    role: "admin",
    body: { path, digest: required(text("The digest of the plan that was approved.")) },
    response: pluginSchema,
    async handle({ runtime, actor }, { body }) {
      checkFolder("body", body.path, "path");
      return runtime.plugins.add(body.path, body.digest, actor);
    },
  }),

  switchPlugin: route({
    method: "PATCH",
    path: "/api/v1/plugins/{name}",
    summary: "Enable or disable a plugin",
    role: "admin",
    params: name,
    body: { enabled: required(flag("False: nothing of it runs until it is enabled again.")) },
    response: pluginSchema,
    async handle({ runtime, actor }, { params, body }) {
      return runtime.plugins.setEnabled(params.name, body.enabled, actor);
    },
  }),

  removePlugin: route({
    method: "DELETE",
    path: "/api/v1/plugins/{name}",
    summary: "Remove a plugin and its private copy",
    role: "admin",
    params: name,
    response: pluginSchema,
    async handle({ runtime, actor }, { params }) {
      return runtime.plugins.remove(params.name, actor);
    },
  }),

  listPluginRuns: route({
    method: "GET",
    path: "/api/v1/plugin-runs",
    summary: "List the programs that hooks of plugins ran or were refused, newest first",
    query: { ...paging, plugin: text("Only this plugin.") },
    response: pageSchema(pluginRunSchema),
    async handle({ runtime }, { query }) {
      const { plugin } = query;
      return page(
        positionOf(query),
        (position) => runtime.store.plugins.listRuns({ ...position, plugin }),
        ({ seq }) => seq,
      );
    },
  }),
};
