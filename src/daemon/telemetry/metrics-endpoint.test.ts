import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, startedDaemon } from "../server/harness.cases.ts";

test("/metrics is off until its flag is on, and asks for host and token like everything", async (t) => {
  const { port, token, daemon, home } = await startedDaemon(t);
  const right = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  const scrape = (headers: object = right) => ask({ port, path: "/metrics", headers: { ...headers } });
  const off = await scrape();
  assert.deepEqual([off.status, JSON.parse(off.text).code], [404, "SWARM_METRICS_OFF"]);

  const { flags } = daemon.runtime;
  await flags.set("metrics", true, "human:ada");
  const emit = () =>
    daemon.runtime.events.emit({ event: "notification", data: { message: "m", level: "info" } });
  const seen = async () =>
    /^swarm_events_total\{event="notification".*\} (\d+)$/m.exec((await scrape()).text)?.[1];
  await emit();
  await emit();
  while ((await seen()) !== "2") await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await scrape()).headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
  assert.equal((await scrape({ host: right.host })).status, 401);
  assert.equal((await scrape({ ...right, host: "evil.example" })).status, 403);
  assert.equal((await scrape({ ...right, origin: "https://evil.example" })).status, 403);

  await flags.unset("metrics", "human:ada");
  assert.equal((await scrape()).status, 404);
  writeFileSync(join(home, "config.yaml"), "metrics: true\n");
  assert.equal((await scrape()).status, 200, "an edit of the user's file counts as well");
});
