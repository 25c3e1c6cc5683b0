import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Durability } from "../../src/record/audit/recorder.ts";
import { bin, endOf, Place } from "../e2e/harness.ts";
import { inspect } from "./inspect.ts";

const guard = `hooks:
  - { event: tool.before, type: command, match: Bash, mode: guard, on_failure: deny, command: exit 0 }
`;

/** Why fsyncs cannot be made to fail here; null when they can. */
export function whyNoInjection(): string | null {
  const args = ["-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"];
  const { status, error, stderr } = spawnSync("strace", args, { encoding: "utf8" });
  return status === 0 ? null : `strace cannot be run here: ${error?.message ?? stderr.trim()}`;
}

/**
 * A daemon whose disk fails once, in an fsync under load: the kernel would answer the next as if nothing had happened.
 * Nothing is acknowledged after it, everybody hears why, and no fsync is tried again, not even at the end.
 */
export async function breakFsync(failingCall: number, durability: Durability): Promise<string> {
  const owed: (() => Promise<void>)[] = [];
  const place = new Place({ after: (work) => void owed.push(work) }, guard);
  try {
    await place.trust();
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, "config.yaml"), `audit: { durability: ${durability} }\n`);
    const log = join(place.folder, "strace.log");
    // One thread for all our fsyncs, or each of the pool's would have a failing call of its own.
    const env = { UV_THREADPOOL_SIZE: "1" };
    const inject = `inject=fsync,fdatasync:error=EIO:when=${failingCall}`;
    const traced = ["-f", "-y", "-o", log, "-e", "trace=fsync,fdatasync", "-e", inject];
    const child = place.start("strace", [...traced, process.execPath, bin, "up", "--port", "0"], env);
    const ended = endOf(child);
    const port = await portOf(child.stdout, ended);
    const { body: health } = await place.call(port, "GET", "/healthz");
    const send = async (tool_name: string) => {
      const sent = { event: "tool.before", data: { tool_name, tool_input: {} }, cwd: place.project };
      return (await place.call(port, "POST", "/api/v1/events", sent)).body as unknown as Answered;
    };

    const acknowledged = new Set<string>();
    let answer = await send("Read");
    for (; answer.code === undefined; answer = await send("Read")) acknowledged.add(answer.id);
    assert.ok(acknowledged.size > 0, "it failed before anything was acknowledged");
    for (let n = 0; n < 20; n++) assert.equal((await send("Read")).code, "SWARM_STORE_DAMAGED");
    const { decision } = await send("Bash");
    assert.equal(decision?.verdict, "deny");
    assert.match(decision?.reason ?? "", /cannot be recorded: .*did not reach the disk/);

    process.kill(Number(health.pid), "SIGTERM");
    const { status, stderr } = await ended;
    assert.notEqual(status, 0);
    assert.match(
      stderr,
      /warn .*swarm\.db-wal did not reach the disk, and nothing is recorded any more: EIO/,
    );
    const calls = readFileSync(log, "latin1")
      .split("\n")
      .filter((line) => /\bf(data)?sync\(.*swarm\.db/.test(line));
    const failed = calls.findIndex((line) => line.includes("EIO"));
    assert.notEqual(failed, -1);
    assert.deepEqual(calls.slice(failed + 1), [], "fsyncs after the one that failed");
    const { lost } = await inspect(place.home, acknowledged);
    assert.deepEqual(lost, []);
    return `${acknowledged.size} events before it, all there; then 21 refused, and no fsync after the one that failed`;
  } finally {
    for (const work of owed) await work();
  }
}

interface Answered {
  readonly id: string;
  readonly code?: string;
  readonly decision?: { readonly verdict: string; readonly reason: string };
}

async function portOf(
  stdout: NodeJS.ReadableStream | null,
  ended: Promise<{ stderr: string }>,
): Promise<number> {
  let printed = "";
  const line = new Promise<number>((resolve) => {
    stdout?.on("data", (chunk) => {
      printed += chunk;
      const port = /^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(printed)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  return Promise.race([line, ended.then(({ stderr }) => assert.fail(`the daemon ended: ${stderr}`))]);
}
