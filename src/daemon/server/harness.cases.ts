import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pageAt } from "../../policy/approvers/message.ts";
import { systemClock } from "../../base/clock.ts";
import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { approveProject } from "../../policy/approvals/approve.cases.ts";
import { openRuntime } from "../runtime/runtime.ts";
import { type App, createApp } from "./app.ts";
import { Gate } from "../access/check-caller.ts";
import { startDaemon } from "./daemon.ts";
import { Identities } from "../access/identities.ts";
import { misfits } from "./misfits.cases.ts";
import { openApi } from "../rest/openapi.ts";
import { problemSchema } from "../rest/schemas.ts";

export interface Folders {
  readonly home: string;
  readonly cwd: string;
  readonly warnings: string[];
  /** Has this closed before the folders go: what is said after a test is done in the order it was said. */
  closing(close: () => Promise<void>): void;
  /** Writes files below the project's folder. */
  write(files: Readonly<Record<string, string>>): void;
}

/** A home and a project of this test's own, there until all that was opened in them is closed. */
export function folders(t: TestContext, config = "hooks: []\n"): Folders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-server-")));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(cwd);
  const opened: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const close of opened) await close();
    rmSync(root, { recursive: true });
  });
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  };
  write({ "swarm.yaml": config });
  return { home, cwd, warnings: [], write, closing: (close) => void opened.push(close) };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The app without a port, called as over its socket. */
export async function openApp(
  t: TestContext,
  config?: string,
  env: NodeJS.ProcessEnv = {},
  address: string | null = null,
) {
  const { home, cwd, warnings, write, closing } = folders(t, config);
  const log = { warn: (message: string) => void warnings.push(message) };
  const runtime = await openRuntime({ home, cwd, env: { ...process.env, ...env }, log, isResident: true });
  closing(() => runtime.close());
  await approveProject(runtime, cwd);
  const refused: string[] = [];
  const identities = new Identities(runtime.store.tokens, systemClock, "ann", "of no port", (hash) =>
    runtime.swarm.fence.identify(hash),
  );
  const page = address === null ? null : pageAt(Number(new URL(address).port));
  const context = { runtime, identities, address, page };
  const gate = Gate.socket(identities.owner, (token) => identities.find(token));
  const app = createApp({ context, gate, log, onRefused: ({ code }) => refused.push(code) });
  return { app, runtime, home, cwd, warnings, write, refused, call: caller(app) };
}

/** Operations that were called with success while this process ran, as `GET /path`. */
export const called = new Set<string>();

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>;
}
export const documented = openApi() as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** What a browser's session begins and ends with. */
const keepsCookies = ["POST /api/v1/login", "DELETE /api/v1/session"];

/** As it is, or as JSON. */
export type CallBody = string | Uint8Array<ArrayBuffer> | object;

/** Calls an app and reads its answer as JSON, which has to be as the OpenAPI document says. */
function caller(app: App) {
  return async <T = Readonly<Record<string, unknown>>>(
    method: string,
    path: string,
    body?: CallBody,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const isText = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    const given = isText ? body : JSON.stringify(body);
    const headers = { host: "localhost", ...more };
    const response = await app.request(path, {
      method,
      headers,
      ...(given !== undefined && { body: given }),
    });
    const text = await response.text();
    if (!keepsCookies.includes(`${method} ${path}`)) assertNoBrowserDoors(response.headers.keys());
    const isJson = /json$/.test(response.headers.get("content-type") ?? "") && !isLines(response);
    const answer: unknown = isJson ? JSON.parse(text) : text;
    assertAsDocumented(method, path, response, answer);
    return { status: response.status, headers: response.headers, text, body: answer as T };
  };
}

function isLines(response: Response): boolean {
  return response.headers.get("content-type") === "application/x-ndjson";
}

function assertAsDocumented(method: string, path: string, response: Response, answer: unknown): void {
  const type = response.headers.get("content-type");
  if (response.status >= 400) {
    assert.equal(type, "application/problem+json");
    assert.deepEqual(misfits(problemSchema, answer), []);
    assert.equal((answer as { status: number }).status, response.status);
    return;
  }
  const [own = ""] = path.split("?");
  const [pattern, operations] =
    Object.entries(documented.paths)
      // The longest first: `/events/after/{seq}` is more than an event of the id `after`.
      .toSorted(([a], [b]) => b.length - a.length)
      .find(([written]) => new RegExp(`^${written.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(own)) ??
    assert.fail(`${path} is not in the document`);
  const operation =
    operations[method.toLowerCase()] ?? assert.fail(`no ${method} of ${path} in the document`);
  const content = operation.responses["200"]?.content ?? {};
  assert.deepEqual(Object.keys(content), [type]);
  const { schema } = content[type ?? ""] as { schema: JsonSchema };
  assert.deepEqual(misfits(schema, answer), [], `${method} ${path}`);
  called.add(`${method} ${pattern}`);
}

/** A daemon on a port of its own, and its token. */
export async function startedDaemon(t: TestContext, config?: string, env: NodeJS.ProcessEnv = {}) {
  const found = folders(t, config);
  const { home, cwd, warnings } = found;
  const log = { warn: (message: string) => void warnings.push(message) };
  const daemon =
    (await startDaemon({ home, cwd, env: { ...process.env, ...env }, log, port: 0 })) ?? assert.fail();
  found.closing(() => daemon.stop());
  await approveProject(daemon.runtime, cwd);
  const token = readFileSync(join(home, "token"), "utf8").trim();
  return { ...found, daemon, token, port: Number(new URL(daemon.address).port) };
}

export interface Ask {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  readonly agent?: Agent;
}

/** One request over a real socket, with the headers that are given and no others. */
export function ask({ body, headers = {}, ...options }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const call = request(
      { host: "127.0.0.1", ...options, headers: { ...headers, ...length }, setHost: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => void chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode: status = 0, headers: given } = response;
          resolve({ status, headers: given, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** Writes bytes to a port and reads until the other side closes. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
  });
}

/** What a browser needs to be told of a file it is to save and never to show. */
export function savingHeaders({ headers }: Response): Record<string, string | null> {
  const names = [
    "content-type",
    "content-length",
    "content-disposition",
    "content-security-policy",
    "x-content-type-options",
    "cache-control",
  ];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

/** Nothing that would let a page of another origin read an answer, or a browser keep a login. */
export function assertNoBrowserDoors(headers: Iterable<string>): void {
  const doors = [...headers].filter((name) => /^(access-control-|set-cookie|cross-origin-)/i.test(name));
  assert.deepEqual(doors, []);
}
