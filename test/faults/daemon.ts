import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Place } from "../e2e/harness.ts";
import { inspect } from "./inspect.ts";

export interface DaemonKillReport {
  readonly kills: number;
  /** Events whose sender was given an outcome. */
  readonly acknowledged: number;
  /** Events that were in the journal alone when the daemon died. */
  readonly journaled: number;
  /** Events that were recorded and whose sender never heard of it. */
  readonly unacknowledged: number;
}

const guard = `hooks:
  - { event: tool.before, type: command, match: Bash, mode: guard, on_failure: deny, command: exit 0 }
`;

/** Kills daemons under load at moments the seed decides, and looks at what they left behind after each. */
export async function killDaemons(kills: number, seed: number): Promise<DaemonKillReport> {
  const owed: (() => Promise<void>)[] = [];
  const place = new Place({ after: (work) => void owed.push(work) }, guard);
  try {
    const acknowledged = new Set<string>();
    const sent = { count: 0 };
    let rows = 0;
    let journaled = 0;
    for (let kill = 0; kill < kills; kill++) {
      // The first is killed before it has answered anybody.
      const limit = kill === 0 ? 0 : Math.floor((Math.abs(Math.sin(seed + kill)) * 1e4) % 300);
      await loadAndKill(place, acknowledged, sent, acknowledged.size + limit);
      const found = await inspect(place.home, acknowledged);
      assert.deepEqual(found.lost, [], "acknowledged events that are not there once");
      assert.deepEqual(sentTwice(place), [], "events that are there twice");
      rows = found.rows;
      journaled += found.journaled;
    }
    const { port } = await place.up();
    const { body } = await place.call(port, "GET", "/api/v1/audit/verify");
    assert.deepEqual([body.is_intact, body.faults], [true, []]);
    return { kills, acknowledged: acknowledged.size, journaled, unacknowledged: rows - acknowledged.size };
  } finally {
    for (const work of owed) await work();
  }
}

/** Sends events, each under a session of its own, until so many are acknowledged; then the daemon is killed. */
async function loadAndKill(
  place: Place,
  acknowledged: Set<string>,
  sent: { count: number },
  until: number,
): Promise<void> {
  const { child, ended } = await place.up();
  const agent = new Agent({ keepAlive: true });
  const socketPath = join(place.home, "swarm.sock");
  const sender = async (): Promise<void> => {
    for (;;) {
      const tool_name = sent.count % 10 === 0 ? "Bash" : "Read";
      const body = { event: "tool.before", data: { tool_name, tool_input: {} }, session: `s${sent.count++}` };
      const id = await post(socketPath, agent, JSON.stringify({ ...body, cwd: place.project }));
      if (id === null) return;
      acknowledged.add(id);
      if (acknowledged.size >= until) child.kill("SIGKILL");
    }
  };
  if (acknowledged.size >= until) child.kill("SIGKILL");
  await Promise.all([ended, ...Array.from({ length: 8 }, sender)]);
  agent.destroy();
}

/** The id of the outcome; null when there was no answer. */
export function post(socketPath: string, agent: Agent, body: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const headers = { host: "localhost", "content-length": Buffer.byteLength(body) };
    const options = { socketPath, agent, method: "POST", path: "/api/v1/events", headers };
    const call = request(options, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      // Half an answer is none.
      response.on("error", () => resolve(null));
      response.on("end", () => {
        if (response.statusCode === 200) resolve((JSON.parse(text) as { id: string }).id);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    call.on("error", () => resolve(null));
    call.end(body);
  });
}

function sentTwice(place: Place): unknown[] {
  const database = new DatabaseSync(join(place.home, "swarm.db"), { readOnly: true });
  try {
    return database
      .prepare(
        "select session, count(*) from run_events where kind = 'emit' group by session having count(*) > 1",
      )
      .all();
  } finally {
    database.close();
  }
}
