import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Place, type Up } from "../e2e/harness.ts";
import { post } from "./daemon.ts";

/** Why a process cannot be looked into here; false when it can. */
export const noProc = existsSync("/proc/self/fd") ? false : "needs /proc";

const guard = `hooks:
  - { event: tool.before, type: command, match: Bash, mode: guard, on_failure: deny, command: exit 0 }
`;

/** A daemon of its own for some work, and no trace of it afterwards. */
export async function withDaemon<T>(work: (place: Place, up: Up) => Promise<T>): Promise<T> {
  const owed: (() => Promise<void>)[] = [];
  const place = new Place({ after: (one) => void owed.push(one) }, guard);
  try {
    await place.trust();
    // A heap that cannot grow for as long as it likes: what is kept shows, and what is only not yet collected does not.
    place.env.NODE_OPTIONS = "--max-old-space-size=64";
    const up = await place.up();
    const result = await work(place, up);
    up.child.kill("SIGTERM");
    const { status, stderr } = await up.ended;
    assert.deepEqual([status, stderr], [0, ""], "it ends as it should, and has nothing to complain of");
    return result;
  } finally {
    for (const one of owed) await one();
  }
}

/** What a process holds. */
export function holdings(pid: number): { readonly descriptors: number; readonly megabytes: number } {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, megabytes: Number(kilobytes) / 1024 };
}

/** Waits until it holds no more descriptors than this: connections are closed in their own time. */
async function settled(pid: number, descriptors: number): Promise<void> {
  while (holdings(pid).descriptors > descriptors) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Connections that never finish asking, while others ask: all of the former are closed, all of the latter answered. */
export async function slowSockets(count: number): Promise<string> {
  return withDaemon(async (place, { port, pid }) => {
    await place.call(port, "GET", "/healthz");
    const before = holdings(pid);
    const halves = ["GET /healthz HTTP/1.1\r\nHo", headWith(place, port, "Content-Length: 100"), ""];
    let closed = 0;
    const slow = Array.from({ length: count }, (_, n) => dripping(port, halves[n % halves.length] ?? ""));
    const ended = slow.map((one) => one.then(() => void closed++));
    let answered = 0;
    const honest = async (): Promise<void> => {
      while (closed < count) {
        const { status } = await place.call(port, "GET", "/healthz");
        assert.equal(status, 200);
        answered++;
      }
    };
    await Promise.all([...ended, honest(), honest()]);
    await settled(pid, before.descriptors);
    const after = holdings(pid);
    assertFlat(before.megabytes, after.megabytes);
    return `${count} slow sockets closed, ${answered} requests answered meanwhile, ${grown(before.megabytes, after.megabytes)}`;
  });
}

/** Resolves when the other side has closed it; a byte now and then keeps it from being idle. */
function dripping(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    const timer = setInterval(() => void socket.write("x"), 500);
    socket.resume();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearInterval(timer);
      resolve();
    });
  });
}

function headWith(place: Place, port: number, header: string): string {
  const head = `POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${place.token()}\r\n`;
  return `${head}${header}\r\n\r\n`;
}

/** A body of this size, announced and not: both are refused long before it has come, and nothing of it is kept. */
export async function hugeBody(megabytes: number): Promise<string> {
  return withDaemon(async (place, { port, pid }) => {
    await place.call(port, "GET", "/healthz");
    const before = holdings(pid);
    const size = megabytes * 1024 * 1024;
    const announced = await pour(port, headWith(place, port, `Content-Length: ${size}`), size, false);
    const chunked = await pour(port, headWith(place, port, "Transfer-Encoding: chunked"), size, true);
    for (const { status, sentBytes } of [announced, chunked]) {
      assert.match(status, /^HTTP\/1\.1 413 /);
      assert.ok(sentBytes < size, `all ${sentBytes} bytes were taken`);
    }
    await settled(pid, before.descriptors);
    const after = holdings(pid);
    assertFlat(before.megabytes, after.megabytes);
    const taken = [announced, chunked].map(({ sentBytes }) => `${(sentBytes / 1024 / 1024).toFixed(0)} MiB`);
    return `413 after ${taken.join(" and ")} of ${megabytes}, ${grown(before.megabytes, after.megabytes)}`;
  });
}

/** Sends until it is stopped. */
function pour(port: number, head: string, size: number, isChunked: boolean) {
  const piece = Buffer.alloc(1024 * 1024, 0x20);
  const framed = isChunked ? Buffer.concat([Buffer.from("100000\r\n"), piece, Buffer.from("\r\n")]) : piece;
  return new Promise<{ status: string; sentBytes: number }>((resolve) => {
    let [status, sentBytes] = ["", 0];
    const socket: Socket = connect(port, "127.0.0.1", () => {
      socket.write(head);
      more();
    });
    const more = (): void => {
      if (socket.destroyed || status !== "" || sentBytes >= size) return;
      sentBytes += piece.length;
      if (socket.write(framed)) setImmediate(more);
      else socket.once("drain", more);
    };
    socket.on("data", (chunk) => {
      status += chunk;
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve({ status, sentBytes }));
  });
}

/** Many events at once: every one that is answered is in the record once, and the record is whole. */
export async function storm(count: number): Promise<string> {
  return withDaemon(async (place, { port, pid }) => {
    await send(place, Math.ceil(count / 5), 32); // warm
    const before = holdings(pid);
    const ids = await send(place, count, 32);
    assert.equal(new Set(ids).size, count);
    await place.call(port, "GET", "/api/v1/events?limit=1"); // whoever asks the daemon has it write what is in its journal
    const recorded = idsIn(place);
    assert.deepEqual(
      ids.filter((id) => !recorded.has(id)),
      [],
      "answered, and not recorded",
    );
    await settled(pid, before.descriptors);
    const after = holdings(pid);
    assertFlat(before.megabytes, after.megabytes);
    const { body } = await place.call(port, "GET", "/api/v1/audit/verify");
    assert.deepEqual([body.is_intact, body.faults], [true, []]);
    return `${count} events answered, each recorded once, ${grown(before.megabytes, after.megabytes)}`;
  });
}

/** Ids of the outcomes; one event in two hundred has a program to run. */
async function send(place: Place, count: number, callers: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  const socketPath = join(place.home, "swarm.sock");
  const ids: string[] = [];
  let sent = 0;
  const caller = async (): Promise<void> => {
    while (sent < count) {
      const tool_name = sent++ % 200 === 0 ? "Bash" : "Read";
      const body = { event: "tool.before", data: { tool_name, tool_input: { n: sent } }, cwd: place.project };
      ids.push((await post(socketPath, agent, JSON.stringify(body))) ?? assert.fail("no answer"));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  agent.destroy();
  return ids;
}

function idsIn(place: Place): Set<string> {
  const database = new DatabaseSync(join(place.home, "swarm.db"), { readOnly: true });
  try {
    const rows = database.prepare("select id from run_events where kind = 'emit'").all();
    return new Set(rows.map(({ id }) => String(id)));
  } finally {
    database.close();
  }
}

/** Everything at once, round after round: what the daemon holds after the first rounds is what it holds after the last. */
export async function soak(isOver: (rounds: number) => boolean): Promise<string> {
  return withDaemon(async (place, { port, pid }) => {
    const round = async (): Promise<number> => {
      const slow = Array.from({ length: 20 }, () => dripping(port, "GET / HTTP/1.1\r\nHo"));
      const ids = await send(place, 200, 16);
      const { status } = await place.call(port, "GET", "/api/v1/events?limit=100");
      assert.equal(status, 200);
      const refused = await place.call(port, "POST", "/api/v1/events", { event: "no.such", data: {} });
      assert.equal(refused.status, 400);
      await Promise.all(slow);
      return ids.length;
    };
    for (let n = 0; n < 3; n++) await round(); // warm
    await settled(pid, holdings(pid).descriptors);
    const before = holdings(pid);
    let [rounds, events] = [0, 0];
    for (; !isOver(rounds); rounds++) events += await round();
    await settled(pid, before.descriptors);
    const after = holdings(pid);
    assertFlat(before.megabytes, after.megabytes);
    return `${rounds} rounds, ${events} events, ${before.descriptors} descriptors before and ${after.descriptors} after, ${grown(before.megabytes, after.megabytes)}`;
  });
}

/** A leak of two kilobytes per event is more in the long forms; 30,000 events were measured to grow it by 9. */
const slackMegabytes = 64;

function assertFlat(before: number, after: number): void {
  assert.ok(
    after - before < slackMegabytes,
    `memory went from ${before.toFixed(0)} to ${after.toFixed(0)} MiB`,
  );
}

function grown(before: number, after: number): string {
  return `memory from ${before.toFixed(0)} to ${after.toFixed(0)} MiB`;
}
