import type { ApproverAction, ApproverKey } from "./message.ts";
import { isEd25519, keyIdOf } from "./sign.ts";
import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { object, oneOf, required, text } from "../../engine/events/schema.ts";
import { route } from "../../daemon/rest/route.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { readProof, timeIn } from "../../daemon/server/signature.ts";
import { string } from "../../daemon/rest/shapes.ts";

const count = { type: "integer" } as const;
const keySchema = closed({
  id: string,
  name: string,
  kind: { enum: ["passphrase", "passkey"] },
  public_key: string,
  credential_id: { type: ["string", "null"] },
});
const waitingSchema = closed({ id: string, change: { type: "object" }, revision: count, expires_at: string });

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/** Whose keys sign approvals. */
export const approverRoutes = {
  listApprovers: route({
    method: "GET",
    path: "/api/v1/approvers",
    summary: "Tell whether approvals take a person's key, and whose keys there are",
    response: closed({
      require: { enum: ["any", "person"], description: "What holds now." },
      configured: { enum: ["any", "person"], description: "What the user's config.yaml says." },
      is_recorded: { type: "boolean", description: "Whether it holds whatever the file says." },
      revision: {
        ...count,
        description: "How often the keys have changed; a signature of a change covers it.",
      },
      decision_ttl_s: { type: "number", description: "How long a decision holds for its call, in seconds." },
      keys: { type: "array", items: keySchema },
      waiting: {
        type: "array",
        items: waitingSchema,
        description: "Changes to be confirmed by a key there is.",
      },
      page: {
        type: ["string", "null"],
        description: "Where the dashboard is for browsers that use passkeys; null: nowhere.",
      },
    }),
    async handle({ runtime, page }) {
      const { approvers } = runtime;
      const isRequired = await approvers.isRequired();
      const { keys, isPersonRequired, revision } = await approvers.history();
      return {
        require: isRequired ? ("person" as const) : ("any" as const),
        configured: approvers.configured(),
        is_recorded: isPersonRequired,
        revision,
        decision_ttl_s: runtime.approvals.decisionTtlMs / 1_000,
        keys,
        waiting: approvers.waiting(),
        page,
      };
    },
  }),

  changeApprovers: route({
    method: "POST",
    path: "/api/v1/approvers/changes",
    summary:
      "Add or remove an approver's key, or say whether approvals take one; all but the first key wait to be confirmed",
    role: "admin",
    body: {
      action: required(oneOf(["add", "remove", "require"], "What is to change.")),
      name: text("add: whose key it is; letters, digits, spaces, . _ and -, at most 64."),
      public_key: text("add: an Ed25519 key, SPKI as base64url."),
      passkey: object("add: what navigator.credentials.create gave, as JSON, instead of public_key."),
      key_id: text("remove: id of the key."),
      require: oneOf(["any", "person"], "require: what an approval takes."),
    },
    response: closed({
      waiting: { anyOf: [waitingSchema, { type: "null" }], description: "Null: it is done." },
    }),
    async handle({ runtime, actor, page }, { body }) {
      const { revision } = await runtime.approvers.history();
      const change = await readChange(body, revision, page);
      return { waiting: await runtime.approvers.propose(change, actor) };
    },
  }),

  confirmApproverChange: route({
    method: "POST",
    path: "/api/v1/approvers/changes/{id}/confirmation",
    summary: "Make a change that waits, by the signature of an approver's key",
    role: "admin",
    params: { id: required(text("Id of the change.")) },
    body: {
      decided_at: required(text("When it was signed; the signature covers it.")),
      signature: required(
        object("{key_id, signature}, and of a passkey authenticator_data and client_data."),
      ),
    },
    response: closed({ revision: count, keys: { type: "array", items: keySchema } }),
    async handle({ runtime, actor, page }, { params: { id }, body }) {
      const proof = readProof(body.signature);
      const problem = await runtime.approvers.freshProblem(proof, page);
      if (problem !== null) throw new SwarmError("SWARM_APPROVER_REFUSED", { problem });
      await runtime.approvers.confirm(id, timeIn(body, "decided_at"), proof, actor);
      await runtime.approvers.keepCounter(proof);
      const { revision, keys } = await runtime.approvers.history();
      return { revision, keys };
    },
  }),
};

interface ChangeBody {
  readonly action: "add" | "remove" | "require";
  readonly name?: string | undefined;
  readonly public_key?: string | undefined;
  readonly passkey?: Readonly<Record<string, unknown>> | undefined;
  readonly key_id?: string | undefined;
  readonly require?: "any" | "person" | undefined;
}

async function readChange(body: ChangeBody, revision: number, page: string | null): Promise<ApproverAction> {
  switch (body.action) {
    case "add":
      return { action: "add", key: await readKey(body, revision, page) };
    case "remove":
      return { action: "remove", key_id: body.key_id ?? missing("key_id") };
    case "require":
      return { action: "require", require: body.require ?? missing("require") };
  }
}

async function readKey(
  { name = missing("name"), public_key, passkey }: ChangeBody,
  revision: number,
  page: string | null,
): Promise<ApproverKey> {
  if (!namePattern.test(name))
    throw invalidOption("body", "name", "letters, digits, spaces, . _ and -, at most 64", name);
  if (passkey !== undefined) {
    const { readEnrolment } = await import("./passkey.ts");
    const key =
      page === null
        ? "there is no page it could be made on"
        : await readEnrolment(passkey, name, revision, page);
    if (typeof key === "string") throw new SwarmError("SWARM_APPROVER_REFUSED", { problem: key });
    return key;
  }
  const spki = public_key ?? missing("public_key");
  if (!isEd25519(spki)) throw invalidOption("body", "public_key", "an Ed25519 key, SPKI as base64url", spki);
  return { id: keyIdOf("passphrase", spki), name, kind: "passphrase", public_key: spki, credential_id: null };
}

function missing(option: string): never {
  throw invalidOption("body", option, "a value", undefined);
}
