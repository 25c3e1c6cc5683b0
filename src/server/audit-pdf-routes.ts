import { pdfKinds, rangeFields, rangeProblem } from "../audit-pdf/range.ts";
import { SwarmError } from "../base/errors.ts";
import { type JsonObject, text } from "../events/schema.ts";
import { route } from "./route.ts";
import { closed, sha256, signedHeadSchema } from "./schemas.ts";
import { checkFolder } from "./values.ts";

const orNull = { type: ["string", "null"] } as const;
const count = { type: "integer", minimum: 0 } as const;
const position = {
  anyOf: [closed({ seq: count, hash: sha256 }), { type: "null" }],
} as const;
const rangeSchema = closed({
  kind: { enum: pdfKinds },
  run_id: orNull,
  from: { ...orNull, description: "First instant." },
  to: { ...orNull, description: "First instant that does not belong to it." },
  rows: { enum: ["notable", "all"] },
});
const fields = {
  ...rangeFields,
  output: text("The file, an absolute path that does not exist yet; default one in reports in SWARM_HOME."),
};

/** The record for people. What is made is a file on the daemon's machine, so that making one is an admin's. */
export const auditPdfRoutes = {
  makeAuditPdf: route({
    method: "POST",
    path: "/api/v1/audit/pdf",
    summary:
      "Write a range of the record as a PDF, with a signed manifest beside it; answers when it is there",
    role: "admin",
    body: fields,
    response: closed({
      file: { type: "string" },
      manifest_file: { type: "string" },
      manifest: closed({
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
      }),
      problem: { ...orNull, description: "Why the record is not intact." },
    }),
    async handle({ runtime, actor }, { body: { output, ...given } }) {
      checkFolder("body", output, "output");
      const range = runtime.pdf.rangeOf(checked("body", given));
      return runtime.pdf.make({ range, file: output ?? null, actor });
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
    async handle({ runtime }, { query: { output, ...given } }) {
      checkFolder("query", output, "output");
      const range = runtime.pdf.rangeOf(checked("query", given));
      return runtime.pdf.preview({ range, file: output ?? null });
    },
  }),
};

function checked(where: string, given: JsonObject): JsonObject {
  const wrong = rangeProblem(given);
  if (wrong === null) return given;
  const { option, expected } = wrong;
  throw new SwarmError("SWARM_OPTION_INVALID", { where, option, expected, value: given[option] });
}
