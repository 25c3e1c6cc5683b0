import { required, text } from "../../engine/events/schema.ts";
import { pageOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { string } from "../../daemon/rest/shapes.ts";

const count = { type: "integer" } as const;

const approvedSchema = closed({ sha256: string, path: string, bytes: count, time: string, actor: string });

const shownSchema = closed({
  path: string,
  sha256: string,
  bytes: count,
  state: { enum: ["trusted", "changed", "untrusted"] },
  approved: {
    anyOf: [approvedSchema, { type: "null" }],
    description: "Of these bytes; of others that were there, when it has changed.",
  },
});

const path = required(text("The file, absolute."));

/** Decisions about files that run code when they are loaded, such as models kept by joblib: that is for an admin. */
export const fileTrustRoutes = {
  listTrustedFiles: route({
    method: "GET",
    path: "/api/v1/trust/files",
    summary: "List the files that may be loaded although that runs code",
    response: pageOf(approvedSchema),
    async handle({ runtime }) {
      return { items: await runtime.trust.files.list() };
    },
  }),

  showTrustedFile: route({
    method: "GET",
    path: "/api/v1/trust/file",
    summary: "Show a file as it is now, and whether it is approved",
    role: "admin",
    query: { path },
    response: shownSchema,
    async handle({ runtime }, { query }) {
      checkFolder("query", query.path, "path");
      return runtime.trust.files.show(query.path);
    },
  }),

  approveFile: route({
    method: "POST",
    path: "/api/v1/trust/files/approve",
    summary: "Approve a file as it was shown; refused (409) if it is not any more",
    role: "admin",
    body: { path, sha256: required(text("The digest it was shown with.")) },
    response: shownSchema,
    async handle({ runtime, actor }, { body }) {
      checkFolder("body", body.path, "path");
      return runtime.trust.files.approve(body.path, body.sha256, actor);
    },
  }),

  revokeFile: route({
    method: "POST",
    path: "/api/v1/trust/files/revoke",
    summary: "Take back the approvals of a file, or of bytes",
    role: "admin",
    body: { file: required(text("The path it was approved under, or its sha256.")) },
    response: pageOf(approvedSchema),
    async handle({ runtime, actor }, { body }) {
      return { items: await runtime.trust.files.revoke(body.file, actor) };
    },
  }),
};
