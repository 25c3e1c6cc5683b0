import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../server/harness.cases.ts";

interface Flag {
  readonly name: string;
  readonly value: boolean;
  readonly from: string;
  readonly set_by: string | null;
}

test("flags are listed, set and unset, each with whose word counts", async (t) => {
  const { call, runtime } = await openApp(t, undefined, { SWARM_FLAG_METRICS: "on" });
  const shown = async (wanted: string) => {
    const { body } = await call<{ items: Flag[] }>("GET", "/api/v1/flags");
    const { value, from } = body.items.find(({ name }) => name === wanted) ?? assert.fail(wanted);
    return [value, from];
  };
  assert.deepEqual(await shown("metrics"), [true, "environment"]);
  assert.deepEqual(await shown("hooks_enabled"), [true, "default"]);
  const { body } = await call<Flag>("PUT", "/api/v1/flags/metrics", { value: false });
  assert.deepEqual([body.value, body.from, body.set_by], [false, "override", "human:ann"]);
  assert.deepEqual(await shown("metrics"), [false, "override"]);
  assert.equal((await call("DELETE", "/api/v1/flags/metrics")).status, 200);
  assert.deepEqual(await shown("metrics"), [true, "environment"]);
  const rows = await runtime.store.readRunEvents(0, 10);
  const changes = rows.filter(({ kind }) => kind === "change").map(({ event, actor }) => [event, actor]);
  assert.deepEqual(changes.slice(-2), [
    ["flag.set", "human:ann"],
    ["flag.unset", "human:ann"],
  ]);
});

test("a flag nobody knows, or that is not set, is a 404, and a value that is none a 400", async (t) => {
  const { call } = await openApp(t);
  const unknown = await call("PUT", "/api/v1/flags/hook_enabled", { value: true });
  assert.deepEqual([unknown.status, unknown.body.code], [404, "SWARM_FLAG_UNKNOWN"]);
  const unset = await call("DELETE", "/api/v1/flags/metrics");
  assert.deepEqual([unset.status, unset.body.code], [404, "SWARM_FLAG_NOT_SET"]);
  for (const body of [{}, { value: "off" }, { value: null }, { value: true, other: 1 }])
    assert.equal((await call("PUT", "/api/v1/flags/metrics", body)).status, 400, JSON.stringify(body));
});
