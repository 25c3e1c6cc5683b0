import assert from "node:assert/strict";
import type { OutgoingHttpHeaders } from "node:http";
import { suite, type TestContext, test } from "node:test";
import { roles } from "./port/token-store.ts";
import { manualClock } from "../../engine/testing/index.ts";
import { type Answer, ask, openApp, startedDaemon } from "../server/harness.cases.ts";
import { Identities } from "./identities.ts";
import { served } from "../rest/openapi.ts";
import { roleFor } from "../rest/route.ts";

/** Calls over the port with a token. */
async function over(port: number, token: string, method: string, path: string, body?: object) {
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await ask({ port, method, path, headers, ...text });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

/** A browser's session as it was given. */
function sessionOf({ text, headers }: Answer) {
  const [set = ""] = headers["set-cookie"] ?? [];
  return { set, cookie: set.split(";")[0] ?? "", key: JSON.parse(text).key as string };
}

/** Calls over the port as the dashboard does. */
async function within(
  port: number,
  { cookie, key }: { cookie?: string; key?: string },
  method: string,
  path: string,
  more: OutgoingHttpHeaders = {},
) {
  const halves = {
    ...(cookie !== undefined && { cookie }),
    ...(key !== undefined && { "x-swarm-key": key }),
  };
  const answer = await ask({
    port,
    method,
    path,
    headers: { host: `127.0.0.1:${port}`, ...halves, ...more },
  });
  return { ...answer, body: JSON.parse(answer.text) };
}

test("each role may do what its operations ask for, and no more", async (t) => {
  const { port, token } = await startedDaemon(t);
  for (const [rank, role] of roles.entries()) {
    const { body } = await over(port, token, "POST", "/api/v1/tokens", { name: `a-${role}`, role });
    for (const route of served.filter(({ isOpen }) => isOpen !== true)) {
      const path = route.path.replaceAll(/\{\w+\}/g, "none");
      const { status, body: answer } = await over(port, body.token, route.method, path, {});
      const isRefused = status === 403 && answer.code === "SWARM_ROLE_REFUSED";
      assert.equal(isRefused, rank < roles.indexOf(roleFor(route)), `${role}: ${route.method} ${path}`);
    }
  }
  const changing = served
    .filter(({ role }) => role === "admin")
    .map(({ method, path }) => `${method} ${path}`);
  // Whatever changes what is in force, for good and for everybody.
  const areas = ["hooks", "flags", "plugins", "trust", "tokens"];
  const isChange = ({ method, path }: (typeof served)[number]) =>
    method !== "GET" && areas.some((area) => path.startsWith(`/api/v1/${area}`));
  const changes = served.filter(isChange).map(({ method, path }) => `${method} ${path}`);
  assert.ok(changes.length >= 10, changes.join(", "));
  const isAdmins = (operation: string) => changing.includes(operation) || operation.endsWith("/plan");
  assert.deepEqual(
    changes.filter((operation) => !isAdmins(operation)),
    [],
  );
});

test("a named token is shown once, kept as a hash, recorded under its name and gone when revoked", async (t) => {
  const { port, token, daemon } = await startedDaemon(t);
  const made = await over(port, token, "POST", "/api/v1/tokens", { name: "ci", role: "operator" });
  assert.equal(made.status, 200);
  const { token: ci, ...shown } = made.body;
  assert.deepEqual((await over(port, ci, "GET", "/api/v1/whoami")).body, { name: "ci", role: "operator" });
  assert.deepEqual((await over(port, token, "GET", "/api/v1/tokens")).body, { items: [shown] });
  const sent = { event: "notification", data: { message: "hi", level: "info" } };
  const { body: outcome } = await over(port, ci, "POST", "/api/v1/events", sent);
  assert.equal((await daemon.runtime.store.findRunEvent(outcome.id))?.actor, "human:ci");
  assert.equal((await over(port, token, "DELETE", "/api/v1/tokens/ci")).status, 200);
  assert.equal((await over(port, ci, "GET", "/api/v1/whoami")).status, 401);
  assert.equal((await over(port, token, "DELETE", "/api/v1/tokens/ci")).body.code, "SWARM_TOKEN_UNKNOWN");
  const again = await over(port, token, "POST", "/api/v1/tokens", { name: "ci", role: "admin" });
  assert.deepEqual([again.status, again.body.code], [409, "SWARM_TOKEN_TAKEN"]);
  const rows = await daemon.runtime.store.readRunEvents(0, 100);
  const changes = rows.filter(({ kind }) => kind === "change").map(({ event, reason }) => [event, reason]);
  assert.deepEqual(changes, [
    ["token.added", "ci, operator"],
    ["token.revoked", "ci"],
  ]);
  assert.ok(!JSON.stringify([rows, await daemon.runtime.store.tokens.list()]).includes(ci));
});

test("a token cannot take the owner's name, nor one that would not be a name", async (t) => {
  const { call } = await openApp(t);
  for (const [name, code] of [
    ["ann", "SWARM_TOKEN_TAKEN"],
    ["../x", "SWARM_OPTION_INVALID"],
    ["", "SWARM_OPTION_INVALID"],
  ]) {
    const { body } = await call("POST", "/api/v1/tokens", { name, role: "viewer" });
    assert.equal(body.code, code);
  }
});

suite("a login link", () => {
  test("makes one session, once, with at most the role of whoever made it", async (t) => {
    const { port, token, daemon } = await startedDaemon(t);
    const { body: operator } = await over(port, token, "POST", "/api/v1/tokens", {
      name: "op",
      role: "operator",
    });
    const higher = await over(port, operator.token, "POST", "/api/v1/login-links", { role: "admin" });
    assert.deepEqual([higher.status, higher.body.code], [403, "SWARM_ROLE_REFUSED"]);
    const { body: link } = await over(port, operator.token, "POST", "/api/v1/login-links", {
      role: "viewer",
    });
    const [page, code] = link.url.split("/#login=");
    assert.equal(page, `http://localhost:${port}`);
    const headers = { host: `127.0.0.1:${port}`, origin: daemon.address };
    const body = JSON.stringify({ code });
    const exchange = () => ask({ port, method: "POST", path: "/api/v1/login", headers, body });
    const answers = await Promise.all([exchange(), exchange(), exchange()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    const session = sessionOf(answers.find(({ status }) => status === 200) ?? assert.fail());
    assert.deepEqual((await within(port, session, "GET", "/api/v1/whoami")).body, {
      name: "op",
      role: "viewer",
    });
    const rows = await daemon.runtime.store.readRunEvents(0, 100);
    const logins = rows.filter(({ kind, outcome }) => kind === "login" && outcome === "completed");
    assert.deepEqual(
      logins.map(({ actor, reason }) => [actor, reason]),
      [["human:op", "viewer"]],
    );
    const { length: refused } = rows.filter(({ kind, outcome }) => kind === "login" && outcome === "denied");
    assert.ok(refused > 0, "the link above one's own role, and those that were used up, are in the record");
    await over(port, token, "DELETE", "/api/v1/tokens/op");
    assert.equal((await within(port, session, "GET", "/api/v1/whoami")).status, 401);
  });

  test("is of no use without a daemon", async (t) => {
    const { call } = await openApp(t);
    assert.equal((await call("POST", "/api/v1/login-links", {})).body.code, "SWARM_DAEMON_NEEDED");
  });

  test("ends after five minutes, and its session after twelve hours", async () => {
    const clock = manualClock(0);
    const identities = new Identities({ list: async () => [] }, clock, "ann", "token");
    const late = identities.makeLink(identities.owner);
    await clock.advance(5 * 60_000);
    assert.throws(() => identities.redeem(late.code), { code: "SWARM_LOGIN_REFUSED" });
    const { cookie, key } = identities.redeem(identities.makeLink(identities.owner).code);
    const token = `${cookie}.${key}`;
    await clock.advance(12 * 3_600_000 - 1);
    assert.deepEqual(identities.find(token)?.role, "admin");
    await clock.advance(1);
    assert.equal(identities.find(token), null);
  });
});

suite("a browser's session", () => {
  async function loggedIn(t: TestContext) {
    const started = await startedDaemon(t);
    const { port, token, daemon } = started;
    const { body: link } = await over(port, token, "POST", "/api/v1/login-links", {});
    const body = JSON.stringify({ code: link.url.split("/#login=")[1] });
    const headers = { host: `127.0.0.1:${port}`, origin: daemon.address };
    const session = sessionOf(await ask({ port, method: "POST", path: "/api/v1/login", headers, body }));
    return { ...started, session };
  }

  test("is a cookie no script can read and no other site is sent", async (t) => {
    const { port, session } = await loggedIn(t);
    const [pair, ...attributes] = session.set.split("; ");
    assert.match(pair ?? "", new RegExp(`^swarm_session_${port}=[\\w-]{43}$`));
    assert.deepEqual(attributes, ["Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict"]);
  });

  test("takes both halves, and nothing beside them", async (t) => {
    const { port, session, daemon } = await loggedIn(t);
    const whoAmI = async (halves: { cookie?: string; key?: string }, more: OutgoingHttpHeaders = {}) =>
      (await within(port, halves, "GET", "/api/v1/whoami", more)).status;
    const { cookie, key } = session;
    assert.equal(await whoAmI({ cookie, key }), 200);
    assert.equal(await whoAmI({ cookie, key }, { origin: daemon.address }), 200);
    // Another port of this host can add cookies of the same name, and leave them in front.
    assert.equal(await whoAmI({ cookie: `other=1; swarm_session_${port}=x; ${cookie}`, key }), 200);
    const value = cookie.split("=")[1];
    for (const halves of [
      { cookie },
      { key },
      { cookie, key: "" },
      { cookie, key: `${key}x` },
      { cookie: `${cookie}x`, key },
      { cookie: `swarm_session_${port + 1}=${value}`, key },
      { cookie: `x${cookie}`, key },
    ])
      assert.equal(await whoAmI(halves), 401, JSON.stringify(halves));
    assert.equal(await whoAmI({ cookie, key }, { authorization: "Bearer wrong" }), 401);
    assert.equal(await whoAmI({ cookie, key }, { authorization: "" }), 401);
    assert.equal(await whoAmI({ cookie, key }, { origin: `http://127.0.0.1:${port + 1}` }), 403);
    assert.equal(await whoAmI({ cookie, key }, { host: `rebound.example:${port}` }), 403);
  });

  test("ends when it is told to, and the record tells who left", async (t) => {
    const { port, session, daemon } = await loggedIn(t);
    const { body, headers } = await within(port, session, "DELETE", "/api/v1/session");
    assert.deepEqual(body, { is_ended: true });
    assert.match(headers["set-cookie"]?.[0] ?? "", new RegExp(`^swarm_session_${port}=; .*Max-Age=0;`));
    assert.equal((await within(port, session, "GET", "/api/v1/whoami")).status, 401);
    const [row] = await daemon.runtime.store.listRunEvents({ limit: 1, event: "logout" });
    assert.deepEqual([row?.kind, row?.reason], ["login", "admin"]);
  });
});
