import { version } from "../../base/version.ts";
import { fieldSchema, fieldsSchema, type JsonSchema } from "../../engine/events/json-schema.ts";
import { type Fields, required, text } from "../../engine/events/schema.ts";
import { problemType } from "./problem.ts";
import { type Route, roleFor, route } from "./route.ts";
import { routes } from "../server/routes.ts";
import { closed, problemSchema } from "./schemas.ts";
import { keyHeader } from "../access/session-cookie.ts";

const problem = {
  description: "What went wrong, as RFC 9457 says it",
  content: { [problemType]: { schema: problemSchema } },
};

const showOpenApi = route({
  method: "GET",
  path: "/api/v1/openapi.json",
  summary: "This document",
  response: closed({
    openapi: { const: "3.1.0" },
    info: { type: "object" },
    security: { type: "array" },
    paths: { type: "object" },
    components: { type: "object" },
  }),
  async handle() {
    return openApi();
  },
});

const operations: Readonly<Record<string, Route>> = { ...routes, showOpenApi };

/** Every operation the server answers. */
export const served: readonly Route[] = Object.values(operations);

/** The REST surface as an OpenAPI 3.1 document. */
export function openApi(): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, one] of Object.entries(operations)) {
    const methods = paths[one.path] ?? {};
    methods[one.method.toLowerCase()] = operation(name, one);
    paths[one.path] = methods;
  }
  return {
    openapi: "3.1.0",
    info: { title: "swarm-hooks", version: version(), license: { name: "MIT", identifier: "MIT" } },
    security: [{ token: [] }, { session: [], key: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "swarm_session_PORT" },
        key: { type: "apiKey", in: "header", name: keyHeader },
      },
    },
  };
}

function operation(name: string, one: Route): JsonSchema {
  const { summary, isOpen, params, query, body, takesRaw, takesStream, answersType, response } = one;
  return {
    operationId: name,
    summary,
    ...(isOpen === true ? { security: [] } : { "x-role": roleFor(one) }),
    parameters: [
      ...parameters("path", params),
      ...parameters("query", query),
      ...(takesRaw === true ? parameters("header", signedHeaders) : []),
    ],
    ...(body !== null && {
      requestBody: { required: true, content: { "application/json": { schema: fieldsSchema(body) } } },
    }),
    ...(takesRaw === true && {
      requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
    }),
    ...(takesStream === true &&
      one.method !== "GET" && {
        requestBody: { required: false, content: { "application/x-ndjson": { schema: { type: "string" } } } },
      }),
    responses: {
      200: {
        description: "Done",
        content: { [answersType ?? "application/json"]: { schema: withoutIdentity(response) } },
      },
      default: problem,
    },
  };
}

/** What a message is signed by. */
const signedHeaders: Fields = {
  "webhook-id": required(text("The same however often it is sent.")),
  "webhook-timestamp": required(text("Unix time in seconds.")),
  "webhook-signature": required(
    text("`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; several with spaces."),
  ),
};

function parameters(place: "path" | "query" | "header", fields: Fields): JsonSchema[] {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: place,
    required: field.isRequired === true,
    schema: fieldSchema(field),
  }));
}

/** A schema that stands inside the document has no address of its own. */
function withoutIdentity({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
