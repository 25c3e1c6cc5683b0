import { randomBytes } from "node:crypto";
import { SwarmError } from "../../base/errors.ts";
import { idPattern } from "../../base/ids.ts";
import { oneOf, required, text } from "../../engine/events/schema.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import { type NamedToken, roles } from "./port/token-store.ts";
import { hashOf, sessionMs } from "./identities.ts";
import { pageOf } from "../rest/page.ts";
import { type Context, route } from "../rest/route.ts";
import { closed } from "../rest/schemas.ts";
import { keptCookie, keyHeader } from "./session-cookie.ts";

const role = { type: "string", enum: roles };
const shown = {
  name: { type: "string" },
  role,
  created_at: { type: "string" },
  created_by: { type: "string" },
  revoked_at: { type: ["string", "null"] },
};

/** Tokens with a name and a role, and the logins of browsers. */
export const tokenRoutes = {
  listTokens: route({
    method: "GET",
    path: "/api/v1/tokens",
    summary: "List the named tokens, those that were revoked among them",
    role: "admin",
    response: pageOf(closed(shown)),
    async handle({ runtime }) {
      return { items: (await runtime.store.tokens.list()).map(withoutHash) };
    },
  }),

  addToken: route({
    method: "POST",
    path: "/api/v1/tokens",
    summary: "Make a token with a name and a role; it is shown this once",
    role: "admin",
    body: {
      name: required({
        ...text("Who it is for, as the record will tell: letters, digits, _ and -, at most 64."),
        pattern: idPattern,
        expected: "letters, digits, _ and -, at most 64",
      }),
      role: required(oneOf(roles, "What it may do: viewer, operator or admin.")),
    },
    response: closed({ ...shown, token: { type: "string" } }),
    async handle({ runtime, identities, actor }, { body }) {
      const { name, role } = body;
      if (name === identities.owner.name) throw new SwarmError("SWARM_TOKEN_TAKEN", { name });
      const token = randomBytes(32).toString("base64url");
      const time = new Date().toISOString();
      const row: NamedToken = {
        name,
        role,
        token_hash: hashOf(token),
        created_at: time,
        created_by: actor,
        revoked_at: null,
      };
      const event: RecordedChange = "token.added";
      const entry = { kind: "change", event, actor, time, reason: `${name}, ${role}` } as const;
      await runtime.audit.record(entry, { kind: "token_added", row });
      await identities.reload();
      return { ...withoutHash(row), token };
    },
  }),

  revokeToken: route({
    method: "DELETE",
    path: "/api/v1/tokens/{name}",
    summary: "Revoke a named token; what it was used for stays in the record",
    role: "admin",
    params: { name: required(text("Name of the token.")) },
    response: closed({ name: shown.name, revoked_at: { type: "string" } }),
    async handle({ runtime, identities, actor }, { params: { name } }) {
      const time = new Date().toISOString();
      const event: RecordedChange = "token.revoked";
      const entry = { kind: "change", event, actor, time, reason: name } as const;
      await runtime.audit.record(entry, { kind: "token_revoked", name, time });
      await identities.reload();
      return { name, revoked_at: time };
    },
  }),

  makeLoginLink: route({
    method: "POST",
    path: "/api/v1/login-links",
    summary: "Make a link that logs one browser in, once, within five minutes",
    body: { role: oneOf(roles, "At most the caller's own, which is the default.") },
    response: closed({ url: { type: "string" }, role, expires_at: { type: "string" } }),
    async handle({ identities, caller, address, page }, { body }) {
      if (address === null) throw new SwarmError("SWARM_DAEMON_NEEDED", { operation: "a login link" });
      const { role = caller.role } = body;
      if (roles.indexOf(role) > roles.indexOf(caller.role)) {
        const operation = `a link for ${role}`;
        throw new SwarmError("SWARM_ROLE_REFUSED", { ...caller, needed: role, operation });
      }
      const { code, expires_at } = identities.makeLink({ name: caller.name, role });
      // In the fragment: no server and no log on the way gets to see it.
      return { url: `${page ?? address}/#login=${code}`, role, expires_at };
    },
  }),

  login: route({
    method: "POST",
    path: "/api/v1/login",
    summary: "Exchange the code of a login link for a session: a cookie, and the key that is sent with it",
    isOpen: true,
    body: { code: required(text("What follows `#login=` in the link.")) },
    response: closed({
      key: { type: "string", description: `To be sent as ${keyHeader} with every call, beside the cookie.` },
      name: shown.name,
      role,
      expires_at: { type: "string" },
    }),
    async handle({ runtime, identities, address, setCookie }, { body: { code } }) {
      if (address === null) throw new SwarmError("SWARM_DAEMON_NEEDED", { operation: "a login" });
      const { cookie, ...session } = identities.redeem(code);
      const actor = `human:${session.name}`;
      await runtime.audit.record({
        kind: "login",
        event: "login",
        actor,
        source: "rest",
        reason: session.role,
      });
      setCookie(keptCookie(address, cookie, sessionMs / 1_000));
      return session;
    },
  }),

  logout: route({
    method: "DELETE",
    path: "/api/v1/session",
    summary: "End the session the call came with",
    role: "viewer",
    response: closed({
      is_ended: {
        type: "boolean",
        description: "False: the caller came with a token, which has no session.",
      },
    }),
    async handle({ runtime, identities, address, caller, actor, setCookie }) {
      if (!identities.end(caller)) return { is_ended: false };
      const event: RecordedChange = "logout";
      await runtime.audit.record({ kind: "login", event, actor, source: "rest", reason: caller.role });
      if (address !== null) setCookie(keptCookie(address, "", 0));
      return { is_ended: true };
    },
  }),

  whoAmI: route({
    method: "GET",
    path: "/api/v1/whoami",
    summary: "Tell whom the caller's token stands for",
    response: closed({ name: shown.name, role }),
    async handle({ caller }: Context) {
      return { name: caller.name, role: caller.role };
    },
  }),
};

function withoutHash({ token_hash: _, ...row }: NamedToken): Omit<NamedToken, "token_hash"> {
  return row;
}
