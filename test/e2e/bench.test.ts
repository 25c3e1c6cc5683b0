import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { asks, notAsked } from "../../bench/record/asks.ts";
import { routes } from "../../src/daemon/server/routes.ts";

const main = join(import.meta.dirname, "../../bench/main.ts");

function bench(args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a suite's JSON form has the promised keys and really measured", () => {
  const { status, stdout } = bench(["idle", "--json", "--rounds", "3"]);
  assert.equal(status, 0);
  const rows = JSON.parse(stdout) as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ suite, name, against, better, target, samples }) => ({
      suite,
      name,
      against,
      better,
      target,
      samples,
    })),
    ["no handler registered", "hooksEnabled: false"].map((name) => ({
      suite: "idle",
      name,
      against: "empty loop",
      better: "lower",
      target: 6,
      samples: 3,
    })),
  );
  for (const { ratio } of rows) assert.ok(typeof ratio === "number" && ratio > 0);
});

test("programs are compared by time, and at their most by memory", () => {
  const { status, stdout } = bench(["command", "--json", "--rounds", "1"]);
  assert.equal(status, 0);
  const rows = JSON.parse(stdout) as { name: string; ns?: number; mib?: number }[];
  assert.deepEqual(
    rows.map(({ name, ns, mib }) => [name, ns !== undefined && ns > 0, mib !== undefined && mib > 0]),
    [
      ["command hook, arguments", true, false],
      ["command hook, shell line", true, false],
      ["command hook, 32 at once", true, false],
      ["command hook, 900 KiB each, 32 at once", false, true],
    ],
  );
});

test("an unknown suite is one line on stderr and a usage error", () => {
  const { status, stdout, stderr } = bench(["idel"]);
  assert.deepEqual(
    { status, stdout, lines: stderr.trimEnd().split("\n").length },
    { status: 64, stdout: "", lines: 1 },
  );
});

test("a new list is timed on a long record, or it is said why not", () => {
  const reading = Object.entries(routes)
    .filter(([, { method }]) => method === "GET")
    .map(([name]) => name);
  const named = [...new Set<string>(asks.map(({ route }) => route)), ...Object.keys(notAsked)];
  assert.deepEqual(named.sort(), reading.sort());
});
