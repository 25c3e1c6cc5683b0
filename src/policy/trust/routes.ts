import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { required, text } from "../../engine/events/schema.ts";
import type { Project } from "../../daemon/runtime/project.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { trustStates } from "./judge.ts";
import { pageOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { string, stringOrNull, strings } from "../../daemon/rest/shapes.ts";

const states = trustStates.filter((state) => state !== "own");

const fileSchema = closed({
  path: { ...string, description: "From the project's folder on." },
  bytes: { type: ["integer", "null"] },
  sha256: stringOrNull,
  is_executable: { type: "boolean" },
  leads_to: { ...stringOrNull, description: "Where it really is, if that is not in the project." },
  problem: { ...stringOrNull, description: "Why it is not covered." },
  changes: { ...strings, description: "What it holds against what was approved." },
});

const hookSchema = closed({
  id: string,
  name: string,
  event: string,
  is_guard: { type: "boolean" },
  state: { enum: states },
  digest: string,
  definition: { ...strings, description: "What is approved, one line each." },
  changes: { ...strings, description: "The definition against what was approved." },
  files: { type: "array", items: fileSchema },
  notes: strings,
});

const projectSchema = closed({
  file: string,
  folder: string,
  digest: { ...string, description: "Of everything shown; approving names it." },
  state: { enum: states },
  hooks: { type: "array", items: hookSchema },
  removed: {
    type: "array",
    items: closed({ name: string, is_guard: { type: "boolean" } }),
    description: "Hooks that were approved and are gone from the file; approving accepts that.",
  },
  notes: strings,
  decided_at: stringOrNull,
  decided_by: stringOrNull,
});

const decidedSchema: JsonSchema = closed({
  file: string,
  state: { enum: ["approved", "ignored"] },
  hooks: { type: "array", items: closed({ hook_id: string, name: string, digest: string }) },
  time: string,
  actor: string,
});

const folder = { cwd: text("A folder of the project; default the daemon's.") };

/** Decisions about projects' hooks. What is approved runs as the user, and what is shown are files: that is for an admin. */
export const trustRoutes = {
  listTrust: route({
    method: "GET",
    path: "/api/v1/trust",
    summary: "List the projects something was decided about",
    response: pageOf(decidedSchema),
    handle({ runtime }) {
      return { items: runtime.trust.list() };
    },
  }),

  showTrust: route({
    method: "GET",
    path: "/api/v1/trust/project",
    summary: "Show a project's hooks with all that is approved with them, and what has changed since",
    role: "admin",
    query: folder,
    response: projectSchema,
    async handle({ runtime }, { query: { cwd } }) {
      checkFolder("query", cwd);
      return runtime.trust.show(await projectToDecide(runtime, cwd));
    },
  }),

  approveTrust: route({
    method: "POST",
    path: "/api/v1/trust/approve",
    summary: "Approve a project's hooks as they were shown; refused (409) if they are not any more",
    role: "admin",
    body: { ...folder, digest: required(text("The digest they were shown with.")) },
    response: projectSchema,
    async handle({ runtime, actor }, { body: { cwd, digest } }) {
      checkFolder("body", cwd);
      return runtime.trust.approve(await projectToDecide(runtime, cwd), digest, actor);
    },
  }),

  ignoreTrust: route({
    method: "POST",
    path: "/api/v1/trust/ignore",
    summary: "Leave a project's hooks out and do not ask again",
    role: "admin",
    body: folder,
    response: projectSchema,
    async handle({ runtime, actor }, { body: { cwd } }) {
      checkFolder("body", cwd);
      return runtime.trust.ignore(await projectToDecide(runtime, cwd), actor);
    },
  }),

  revokeTrust: route({
    method: "POST",
    path: "/api/v1/trust/revoke",
    summary: "Take back what was decided about a project",
    role: "admin",
    body: folder,
    response: projectSchema,
    async handle({ runtime, actor }, { body: { cwd } }) {
      checkFolder("body", cwd);
      return runtime.trust.revoke(await goodProject(runtime, cwd), actor);
    },
  }),
};

/** The project of the folder, or of the one above whose guards are why nothing may be run in it. */
async function projectToDecide(runtime: Runtime, cwd: string | undefined): Promise<Project> {
  const project = await goodProject(runtime, cwd);
  const above = runtime.trust.folderAbove(project);
  return above === null ? project : goodProject(runtime, above);
}

/** By its files as they are now: nobody decides about what is in force only because the file has been broken since. */
async function goodProject(runtime: Runtime, cwd: string | undefined): Promise<Project> {
  const project = await runtime.projects.refresh(cwd);
  if (project.problem !== null) throw project.problem;
  return project;
}
