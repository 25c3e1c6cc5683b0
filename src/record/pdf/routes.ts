import { basename } from "node:path";
import { manifestName } from "./manifest.ts";
import { pdfKinds, rangeFields, rangeProblem } from "./range.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { type JsonObject, required, text } from "../../engine/events/schema.ts";
import { fileAnswer } from "../../daemon/server/file-range.ts";
import { pageOf, paging, positionOf } from "../../daemon/rest/page.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed, signedHeadSchema } from "../../daemon/rest/schemas.ts";
import { checkFolder } from "../../daemon/rest/values.ts";
import { count, sha256, stringOrNull } from "../../daemon/rest/shapes.ts";

const position = {
  anyOf: [closed({ seq: count, hash: sha256 }), { type: "null" }],
} as const;
const rangeSchema = closed({
  kind: { enum: pdfKinds },
  run_id: stringOrNull,
  from: { ...stringOrNull, description: "First instant." },
  to: { ...stringOrNull, description: "First instant that does not belong to it." },
  rows: { enum: ["notable", "all"] },
});
const manifestSchema = closed({
  format: { type: "string" },
  file: { type: "string" },
  sha256,
  bytes: count,
  pages: count,
  version: { type: "string" },
  range: rangeSchema,
  rows: { ...count, description: "Rows of the record in the range." },
  first: position,
  last: position,
  rows_sha256: { ...sha256, description: "Over the hashes of those rows, in their order." },
  is_intact: { type: "boolean", description: "Whether the whole record was." },
  head: signedHeadSchema,
  public_key: { type: "string" },
  signature: { type: "string", description: "Ed25519, base64." },
});
const keptSchema = closed({
  id: { type: "string" },
  file: { type: "string" },
  made_at: { type: "string", format: "date-time", description: "When the head it covers was signed." },
  range: rangeSchema,
  rows: count,
  pages: count,
  bytes: count,
  sha256,
  is_intact: { type: "boolean", description: "Whether the whole record was." },
});
const fields = {
  ...rangeFields,
  output: text("The file, an absolute path that does not exist yet; default one in reports in SWARM_HOME."),
};

const pdfId = { id: required(text("Id of the PDF, as the list has it.")) };
const pdfType = "application/pdf";
const jsonType = "application/json";
/** Of a call that did not come over HTTP. */
const noHeaders = { header: () => undefined, body: null };

/**
 * The record for people. What is made is a file on the daemon's machine, so that making one is an admin's; those it
 * keeps are read by whoever may read the record.
 */
export const auditPdfRoutes = {
  makeAuditPdf: route({
    method: "POST",
    path: "/api/v1/audit/pdf",
    summary:
      "Write a range of the record as a PDF, with a signed manifest beside it; answers when it is there",
    role: "admin",
    body: fields,
    response: closed({
      id: { ...stringOrNull, description: "By which it is got; null: it is where `output` says." },
      file: { type: "string" },
      manifest_file: { type: "string" },
      manifest: manifestSchema,
      problem: { ...stringOrNull, description: "Why the record is not intact." },
    }),
    async handle({ runtime, actor, signal }, { body: { output, ...given } }) {
      checkFolder("body", output, "output");
      const range = runtime.pdf.rangeOf(checked("body", given));
      return runtime.pdf.make({ range, file: output ?? null, actor, ...(signal && { signal }) });
    },
  }),

  previewAuditPdf: route({
    method: "GET",
    path: "/api/v1/audit/pdf",
    summary: "Tell what a PDF of a range would hold and where it would be written; nothing is",
    role: "admin",
    query: fields,
    response: closed({
      file: { type: "string" },
      range: rangeSchema,
      rows: count,
      denials: count,
    }),
    async handle({ runtime, signal }, { query: { output, ...given } }) {
      checkFolder("query", output, "output");
      const range = runtime.pdf.rangeOf(checked("query", given));
      return runtime.pdf.preview({ range, file: output ?? null, ...(signal && { signal }) });
    },
  }),

  listAuditPdfs: route({
    method: "GET",
    path: "/api/v1/audit/pdfs",
    summary: "List the PDFs of the record that are kept in reports in SWARM_HOME, newest first",
    query: { limit: paging.limit },
    response: pageOf(keptSchema, {
      unusable: { ...count, description: "PDFs among them without their manifest; they are left out." },
    }),
    async handle({ runtime }, { query }) {
      const { items, unusable } = runtime.pdf.kept.list(positionOf(query).limit);
      const told = items.map(({ id, file, manifest }) => {
        const { range, rows, pages, bytes, sha256: digest, is_intact, head } = manifest;
        return { id, file, made_at: head.time, range, rows, pages, bytes, sha256: digest, is_intact };
      });
      return { items: told, unusable };
    },
  }),

  getAuditPdf: route({
    method: "GET",
    path: "/api/v1/audit/pdfs/{id}",
    summary: "Get a PDF of the record that is kept, or a range of its bytes",
    params: pdfId,
    takesStream: true,
    answersType: pdfType,
    response: { type: "string" },
    async handle({ runtime }, { params: { id }, stream = noHeaders }) {
      const { file, manifest } = runtime.pdf.kept.find(id);
      const { bytes, sha256: tag } = manifest;
      return fileAnswer({ file, bytes, type: pdfType, tag, saveAs: basename(file) }, stream);
    },
  }),

  getAuditPdfManifest: route({
    method: "GET",
    path: "/api/v1/audit/pdfs/{id}/manifest",
    summary: "Get the signed manifest of a PDF that is kept, byte for byte",
    params: pdfId,
    takesStream: true,
    answersType: jsonType,
    response: manifestSchema,
    async handle({ runtime }, { params: { id }, stream = noHeaders }) {
      const { file: pdf, manifest, manifest_bytes: bytes } = runtime.pdf.kept.find(id);
      const file = manifestName(pdf);
      const tag = `${manifest.sha256}-manifest`;
      return fileAnswer({ file, bytes, type: jsonType, tag, saveAs: basename(file) }, stream);
    },
  }),
};

function checked(where: string, given: JsonObject): JsonObject {
  const wrong = rangeProblem(given);
  if (wrong === null) return given;
  const { option, expected } = wrong;
  throw invalidOption(where, option, expected, given[option]);
}
