import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { suite, test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { openRuntime } from "../runtime/runtime.ts";
import { createApp } from "../server/app.ts";
import { Gate } from "./check-caller.ts";
import { ask, assertNoBrowserDoors, folders, raw, startedDaemon } from "../server/harness.cases.ts";
import { Identities } from "./identities.ts";
import { Refusals } from "../server/refusals.ts";

/** What a request may say of itself; `undefined`: it does not say it. */
interface Said {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly query: string;
}

/** `isOdd`: tried with the two others right; the rest in every combination. */
interface Choice<T> {
  readonly value: T;
  readonly isRight: boolean;
  readonly isOdd: boolean;
}

function choices<T>(right: readonly T[], wrong: readonly T[], odd: readonly T[]): Choice<T>[] {
  return [
    ...right.map((value) => ({ value, isRight: true, isOdd: false })),
    ...wrong.map((value) => ({ value, isRight: false, isOdd: false })),
    ...odd.map((value) => ({ value, isRight: false, isOdd: true })),
  ];
}

const hosts = (port: number) =>
  choices<string | undefined>(
    [`127.0.0.1:${port}`, `localhost:${port}`],
    [undefined, `rebound.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`, `[::1]:${port}`],
    [
      "",
      "localhost",
      "rebound.example",
      `127.0.0.1:${port}0`,
      `LOCALHOST:${port}`,
      `localhost.:${port}`,
      `127.0.0.1:${port}.rebound.example`,
      `127.0.0.1:${port}, rebound.example`,
      `127.0.0.1:${port}@rebound.example`,
      `rebound.example@127.0.0.1:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      `2130706433:${port}`,
      `http://127.0.0.1:${port}`,
    ],
  );

const origins = (port: number) =>
  choices<string | undefined>(
    [undefined, `http://127.0.0.1:${port}`, `http://localhost:${port}`],
    ["null", "https://rebound.example", `http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`],
    [
      "",
      `http://rebound.example:${port}`,
      "http://127.0.0.1",
      `HTTP://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}.rebound.example`,
      `http://127.0.0.1:${port}, http://rebound.example`,
      `http://127.0.0.1:${port}@rebound.example`,
    ],
  );

/** The Authorization header and the query. */
const tokens = (token: string) =>
  choices<readonly [authorization: string | undefined, query: string]>(
    [[`Bearer ${token}`, ""]],
    [
      [undefined, ""],
      ["", ""],
      [`Bearer ${token.slice(0, -1)}`, ""],
      [`Basic ${Buffer.from(`:${token}`).toString("base64")}`, ""],
      [undefined, `?token=${token}&access_token=${token}`],
    ],
    [
      ["Bearer", ""],
      ["Bearer wrong", ""],
      [`Bearer ${token}x`, ""],
      [`Bearer ${token.toUpperCase()}`, ""],
      [`bearer ${token}`, ""],
      [`Bearer  ${token}`, ""],
      [token, ""],
      [`Bearer ${token}, Bearer wrong`, ""],
    ],
  );

interface Target {
  readonly method: string;
  readonly path: string;
  readonly isOpen?: boolean;
  readonly body?: string;
  /** What a caller gets who may call. */
  readonly status: number;
}

const event = JSON.stringify({ event: "notification", data: { message: "hi", level: "info" } });

const targets: readonly Target[] = [
  { method: "GET", path: "/healthz", isOpen: true, status: 200 },
  { method: "GET", path: "/api/v1/hooks", status: 200 },
  { method: "POST", path: "/api/v1/events", body: event, status: 200 },
  { method: "PATCH", path: "/api/v1/hooks/none", body: '{"enabled": false}', status: 404 },
  { method: "GET", path: "/api/v1/openapi.json", status: 200 },
  { method: "GET", path: "/api/v1/nothing", status: 404 },
  { method: "OPTIONS", path: "/api/v1/events", status: 405 },
];

/** Every combination of the three, and why it is turned away; null: it is not. */
function matrix(port: number, token: string) {
  return hosts(port).flatMap((host) =>
    origins(port).flatMap((origin) =>
      tokens(token).flatMap((authorization) => {
        const all = [host, origin, authorization];
        if (all.some(({ isOdd }) => isOdd) && all.filter(({ isRight }) => !isRight).length > 1) return [];
        const [header, query] = authorization.value;
        const said: Said = { host: host.value, origin: origin.value, authorization: header, query };
        const address = host.isRight
          ? origin.isRight
            ? null
            : "SWARM_ORIGIN_REFUSED"
          : "SWARM_HOST_REFUSED";
        const refusal = address ?? (authorization.isRight ? null : "SWARM_TOKEN_REFUSED");
        return [{ said, refusal }];
      }),
    ),
  );
}

function headersOf({ host, origin, authorization }: Said): Record<string, string> {
  const given = Object.entries({ host, origin, authorization }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

interface Heard {
  readonly status: number;
  readonly text: string;
  /** Of its headers. */
  readonly names: readonly string[];
}

/** Calls with every combination and tells which ones ended other than they should. */
async function surprises(
  port: number,
  token: string,
  call: (target: Target, said: Said) => Promise<Heard>,
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  const tried = targets.flatMap((target) => matrix(port, token).map((one) => ({ target, ...one })));
  const next = tried.values();
  // A few at a time: one after another would be slow, all at once would be turned away.
  const work = async (): Promise<void> => {
    for (const { target, said, refusal } of next) {
      const { status, text, names } = await call(target, said);
      assertNoBrowserDoors(names);
      const isIn = refusal === null || (refusal === "SWARM_TOKEN_REFUSED" && target.isOpen === true);
      const isRight = isIn
        ? // No operation takes a token as an option.
          status === (said.query === "" ? target.status : 400)
        : status === (refusal === "SWARM_TOKEN_REFUSED" ? 401 : 403) && text.includes(`"code":"${refusal}"`);
      if (!isRight && !isUnreadable(said, status, text)) wrong.push({ target, said, status, text });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  assert.ok(tried.length > 2_000, `${tried.length} combinations`);
  return wrong;
}

/** Hosts that no address can have are turned away before anybody looks at them. */
function isUnreadable({ host = "" }: Said, status: number, text: string): boolean {
  const isAddress = URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host;
  return !isAddress && status === 400 && text.includes('"code":"SWARM_REQUEST_INVALID"');
}

suite("only the right host, origin and token together are let in", () => {
  test("by the app", async (t) => {
    const [port, token] = [4242, "a-token-of-this-test"];
    const { home, cwd } = folders(t);
    const log = { warn: () => undefined };
    const runtime = await openRuntime({ home, cwd, env: process.env, log });
    t.after(() => runtime.close());
    const identities = new Identities(runtime.store.tokens, systemClock, "ann", token);
    const context = { runtime, identities, address: null, page: null };
    const gate = Gate.tcp(port, (given) => identities.find(given));
    const app = createApp({ context, gate, log, onRefused: () => undefined });
    const wrong = await surprises(port, token, async ({ method, path, body }, said) => {
      const headers = headersOf(said);
      const init = { method, headers, ...(body !== undefined && { body }) };
      const response = await app.request(`${path}${said.query}`, init);
      return { status: response.status, text: await response.text(), names: [...response.headers.keys()] };
    });
    assert.deepEqual(wrong, []);
  });

  test("over TCP", async (t) => {
    const { port, token } = await startedDaemon(t);
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    t.after(() => agent.destroy());
    const wrong = await surprises(port, token, async ({ method, path, body }, said) => {
      const headers = headersOf(said);
      const target = { method, path: `${path}${said.query}`, ...(body !== undefined && { body }) };
      const { status, text, headers: given } = await ask({ port, agent, headers, ...target });
      return { status, text, names: Object.keys(given) };
    });
    assert.deepEqual(wrong, []);
  });
});

suite("what no well-behaved client sends", () => {
  const get = (lines: readonly string[], version = "1.1") =>
    [`GET /api/v1/hooks HTTP/${version}`, ...lines, "Connection: close", "", ""].join("\r\n");

  const odd: readonly (readonly [what: string, lines: (right: string) => string[], version?: string])[] = [
    ["no Host, as HTTP/1.0 allows", () => [], "1.0"],
    ["no Host, as HTTP/1.1 does not", () => []],
    ["a second Host", (right) => [`Host: ${right}`, "Host: rebound.example"]],
    ["the right Host second", (right) => ["Host: rebound.example", `Host: ${right}`]],
    ["the right Host twice", (right) => [`Host: ${right}`, `Host: ${right}`]],
    [
      "a second Origin",
      (right) => [`Host: ${right}`, `Origin: http://${right}`, "Origin: http://other.example"],
    ],
    ["X-Forwarded-Host", (right) => ["Host: rebound.example", `X-Forwarded-Host: ${right}`]],
  ];
  for (const [what, lines, version] of odd) {
    test(`${what} is refused`, async (t) => {
      const { port, token } = await startedDaemon(t);
      const sent = [...lines(`127.0.0.1:${port}`), `Authorization: Bearer ${token}`];
      const heard = await raw(port, get(sent, version));
      assert.match(heard, /^HTTP\/1\.1 403 /);
      assert.match(heard, /"code":"SWARM_(HOST|ORIGIN)_REFUSED"/);
    });
  }

  test("a second token is refused, even after the right one", async (t) => {
    const { port, token } = await startedDaemon(t);
    const bearers = [`Authorization: Bearer ${token}`, "Authorization: Bearer wrong"];
    for (const sent of [bearers, bearers.toReversed()]) {
      const heard = await raw(port, get([`Host: 127.0.0.1:${port}`, ...sent]));
      assert.match(heard, /^HTTP\/1\.1 401 /);
    }
  });

  test("another server's address as the target is refused, whatever the Host says", async (t) => {
    const { port, token } = await startedDaemon(t);
    const rest = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    for (const target of ["http://rebound.example/healthz", `http://127.0.0.1:${port}/healthz`, "*"]) {
      const heard = await raw(port, `GET ${target} HTTP/1.1\r\n${rest}`);
      assert.match(heard, /^HTTP\/1\.1 400 /);
      assert.match(heard, /"code":"SWARM_REQUEST_INVALID"/);
    }
  });
});

test("who was turned away is in the record, without flooding it", async (t) => {
  const { port, daemon } = await startedDaemon(t);
  const headers = { host: `rebound.example:${port}` };
  for (let n = 0; n < 50; n++) await ask({ port, path: "/healthz", headers });
  const rows = await daemon.runtime.store.listRunEvents({ limit: 50, kind: "login" });
  assert.ok(rows.length >= 1 && rows.length < 25, `${rows.length} rows`);
  assert.deepEqual([rows.at(-1)?.outcome, rows.at(-1)?.actor], ["denied", "unknown"]);
  assert.match(rows.at(-1)?.reason ?? "", /^host "rebound\.example:\d+" is refused/);
});

test("every one who was turned away is counted in some row, the last of a burst too", async (t) => {
  const entries: string[] = [];
  const audit = {
    record: async ({ reason }: { reason?: string | null }) => void entries.push(reason ?? ""),
  };
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const refusals = new Refusals(audit as never, { warn: () => undefined });
  const error = new SwarmError("SWARM_LOGIN_REFUSED", {});
  for (let n = 0; n < 50; n++) refusals.note(error);
  assert.deepEqual(entries, [error.message]);
  t.mock.timers.tick(1_000);
  assert.deepEqual(entries.slice(1), [`${error.message} (and 48 more before)`]);
  t.mock.timers.tick(1_000);
  refusals.note(error);
  refusals.note(error);
  await refusals.drain();
  assert.deepEqual(entries.slice(2), [error.message, error.message]);
});

suite("the socket", () => {
  test("needs no token, the host localhost, and no origin", async (t) => {
    const { daemon, port, token } = await startedDaemon(t);
    const { socket: socketPath } = daemon;
    const wrong: unknown[] = [];
    for (const host of [
      "localhost",
      undefined,
      "",
      "LOCALHOST",
      "localhost:80",
      `localhost:${port}`,
      "127.0.0.1",
      "rebound.example",
    ]) {
      for (const origin of [undefined, "", "null", "http://localhost", `http://localhost:${port}`]) {
        for (const authorization of [undefined, `Bearer ${token}`, "Bearer wrong"]) {
          for (const { method, path, body, status: expected } of targets) {
            const headers = headersOf({ host, origin, authorization, query: "" });
            const answer = await ask({
              socketPath,
              method,
              path,
              headers,
              ...(body !== undefined && { body }),
            });
            assertNoBrowserDoors(Object.keys(answer.headers));
            const isIn = host === "localhost" && origin === undefined;
            if (answer.status !== (isIn ? expected : 403)) wrong.push({ host, origin, path, answer });
          }
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  test("is its owner's alone, as are the token and the rest", async (t) => {
    const { daemon, home } = await startedDaemon(t);
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
    assert.equal(modeOf(daemon.socket), "600");
    for (const file of ["token", "audit-key.pem", "swarm.db", "daemon.lock"])
      assert.equal(modeOf(join(home, file)), "600", file);
  });

  const skip = process.getuid?.() === 0 ? false : "needs root, to become somebody else";
  test("cannot be connected to by another user", { skip }, async (t) => {
    const { daemon, home } = await startedDaemon(t);
    // Its own mode has to hold: the folder's may have been opened.
    for (const folder of [home, join(home, "..")]) chmodSync(folder, 0o755);
    const program = `require("node:net").connect(${JSON.stringify(daemon.socket)})
      .on("connect", () => { console.log("connected"); process.exit(); }).on("error", ({ code }) => console.log(code));`;
    const as = (user: string) =>
      spawnSync(
        "setpriv",
        [`--reuid=${user}`, `--regid=${user}`, "--clear-groups", process.execPath, "-e", program],
        {
          encoding: "utf8",
        },
      ).stdout.trim();
    assert.deepEqual([as("65534"), as("0")], ["EACCES", "connected"]);
  });
});
