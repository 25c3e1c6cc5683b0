import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { Webhook } from "standardwebhooks";
import { Place } from "../e2e/harness.ts";
import { post } from "./daemon.ts";

export interface SenderKillReport {
  readonly kills: number;
  /** Events whose sender was given an outcome. */
  readonly acknowledged: number;
  /** Messages that arrived, and those of them that had arrived before. */
  readonly arrived: number;
  readonly duplicates: number;
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** What has come, in its order; signatures are checked by the reference implementation. */
export class WebhookReceiver {
  readonly arrived: { readonly id: string; readonly eventId: string; readonly path: string }[] = [];
  status = 204;
  readonly #server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      const { id: eventId } = new Webhook(secret).verify(body, headers) as { id: string };
      if (this.status < 300) {
        this.arrived.push({ id: headers["webhook-id"] ?? "", eventId, path: request.url ?? "" });
      }
      response.writeHead(this.status).end();
    });
  });

  async listen(port = 0): Promise<number> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** One webhook for each path. */
export function webhookConfig(port: number, paths: readonly string[]): string {
  const hooks = paths.map(
    (path) =>
      `  - { event: task.completed, type: webhook, name: to${path.slice(1)}, match: "*", url: "http://127.0.0.1:${port}${path}", allow_private: [loopback], secret: ${secret} }\n`,
  );
  return `hooks:\n${hooks.join("")}`;
}

/**
 * Kills daemons while they take in events and send them on, and looks at what has arrived in the end. What it starts is
 * the test's, and gone with it: a test that takes too long leaves nothing that goes on.
 */
export async function killSenders(t: TestContext, kills: number, events: number): Promise<SenderKillReport> {
  const place = new Place(t);
  const receiver = new WebhookReceiver();
  const port = await receiver.listen();
  t.after(() => receiver.close());
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, "config.yaml"), webhookConfig(port, ["/a"]));
  const acknowledged = new Set<string>();
  for (let kill = 1; kill <= kills; kill++) {
    t.signal.throwIfAborted();
    await loadAndKill(place, acknowledged, Math.floor((events * kill) / kills));
  }
  const up = await place.up();
  const pending = async () => (await place.call(up.port, "GET", "/api/v1/webhooks")).body.pending;
  while ((await pending()) !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const eventIds = new Map<string, string>();
  for (const { id, eventId } of receiver.arrived) {
    assert.equal(eventIds.get(eventId) ?? id, id, "a duplicate has another webhook-id");
    eventIds.set(eventId, id);
  }
  assert.deepEqual(
    [...acknowledged].filter((id) => !eventIds.has(id)),
    [],
    "acknowledged and not delivered",
  );
  const firsts = [...new Set(receiver.arrived.map(({ id }) => id))];
  assert.deepEqual(firsts, queuedIds(place), "not in the order they were queued in");
  const { body } = await place.call(up.port, "GET", "/api/v1/audit/verify");
  assert.equal(body.is_intact, true);
  const arrived = receiver.arrived.length;
  return { kills, acknowledged: acknowledged.size, arrived, duplicates: arrived - firsts.length };
}

/** Sends events until so many are acknowledged, then kills the daemon in whatever it is doing. */
async function loadAndKill(place: Place, acknowledged: Set<string>, wanted: number): Promise<void> {
  const { child, ended } = await place.up();
  const agent = new Agent({ keepAlive: true });
  const socketPath = join(place.home, "swarm.sock");
  const sender = async (): Promise<void> => {
    while (acknowledged.size < wanted) {
      const data = { task_id: `t${acknowledged.size}` };
      const body = JSON.stringify({ event: "task.completed", data, cwd: place.project });
      const id = await post(socketPath, agent, body);
      if (id === null) return;
      acknowledged.add(id);
    }
    child.kill("SIGKILL");
  };
  await Promise.all([ended, ...Array.from({ length: 4 }, sender)]);
  agent.destroy();
}

export function queuedIds(place: Place, hook?: string): string[] {
  const database = new DatabaseSync(join(place.home, "swarm.db"), { readOnly: true });
  const rows = database
    .prepare("select id from deliveries where ? is null or hook = ? order by seq")
    .all(hook ?? null, hook ?? null);
  database.close();
  return rows.map(({ id }) => String(id));
}
