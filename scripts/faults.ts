// Breaks things on purpose and looks at what is left: `npm run test:faults`, or with a number for fewer kills and
// `--only TEXT` for the checks whose names have it.
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { fillDiskByBatch, killBatches } from "../test/faults/batch.ts";
import { killBatchDaemons } from "../test/faults/batch-daemon.ts";
import { breakFsync, whyNoInjection } from "../test/faults/broken-fsync.ts";
import { killCronDaemons } from "../test/faults/cron.ts";
import { killDaemons } from "../test/faults/daemon.ts";
import { fillDisk, SmallDisk } from "../test/faults/full-disk.ts";
import { killWriters } from "../test/faults/kill-writer.ts";
import { hugeBody, noProc, slowSockets, soak, storm } from "../test/faults/load.ts";
import { losePower } from "../test/faults/power-loss.ts";
import { simulate } from "../test/sim/simulation.ts";

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" } },
  allowPositionals: true,
});
const kills = Number(positionals[0] ?? 200);
const losses = Math.ceil((kills * 3) / 20);
const seed = Number(positionals[1] ?? Math.floor(Math.random() * 2 ** 31));
const tally = { passed: 0, failed: 0, skipped: 0 };

await check(`kill -9 of the writer, ${kills} times (seed ${seed})`, async () => {
  const { acknowledged, unacknowledged, unsigned } = await killWriters(kills, seed);
  return `${acknowledged} acknowledged rows there once each, ${unacknowledged} that nobody was told of, ${unsigned} signed afterwards`;
});

const daemonKills = Math.ceil(kills / 10);
await check(`kill -9 of the daemon, ${daemonKills} times`, async () => {
  const { acknowledged, unacknowledged } = await killDaemons(daemonKills, seed);
  return `${acknowledged} acknowledged events there once each, ${unacknowledged} that nobody was told of`;
});

await check(`kill -9 of the daemon during batch runs, ${daemonKills} times`, async () => {
  const { runs, records, legs } = await killBatchDaemons(daemonKills, seed);
  return `${runs} runs of ${records} records in ${legs} legs: every record there once, whole and in its place`;
});

const cronSlots = 10 * kills;
for (const retries of [0, 3]) {
  await check(`two schedulers on one store, ${cronSlots} slots, kill -9, ${retries} retries`, async () => {
    const jobs = 25;
    const options = { jobs, slotsPerJob: Math.ceil(cronSlots / jobs), retries, seed };
    const report = await killCronDaemons(options);
    const { slots, kills: killed, completed, interrupted, retried, exhausted } = report;
    const runs = `${completed} completed, ${interrupted} interrupted, ${retried} retries`;
    const told = `${slots} slots claimed once each under ${killed} kills: ${runs}`;
    return retries === 0 ? told : `${told}, ${exhausted} slots interrupted ${retries + 1} times`;
  });
}

for (const whom of ["runner", "worker"] as const) {
  await check(`kill -9 of a batch run's ${whom}, ${kills} times`, async () => {
    const report = await killBatches({ whom, kills, seed });
    return `${report.records} records of ${report.runs} runs there once each, ${report.cutOff} of them done again`;
  });
}

const simulations = 10 * kills;
await check(`a simulated swarm, ${simulations} seeds of 2,000 steps`, async () => {
  let rows = 0;
  for (let at = 0; at < simulations; at++) {
    const simulated = await simulate({ seed: (seed + at) % 2 ** 31, steps: 2_000 });
    const again = `npm run sim -- --seed ${simulated.seed} --steps ${simulated.steps}`;
    assert.equal(simulated.violation, null, again);
    rows += simulated.rows;
  }
  return `${rows} rows: no task lost or done twice, nobody acted without a lease`;
});

await check(`power loss with audit.durability: power_loss, ${losses} times`, async () => {
  const report = await losePower(losses, "power_loss");
  if (typeof report === "string") return { skipped: report };
  assert.equal(report.lost, 0, `${report.lost} acknowledged rows are lost`);
  return `${report.acknowledged} acknowledged rows there once each`;
});

await check(`power loss with audit.durability: process, ${losses} times`, async () => {
  const report = await losePower(losses, "process");
  if (typeof report === "string") return { skipped: report };
  assert.equal(report.lostIntents, 0, `${report.lostIntents} acknowledged intents are lost`);
  assert.ok(report.lost > 0, "nothing is lost where much should be: this does not test what it says");
  return `no intent lost; of the other rows the last, ${report.lost} of ${report.acknowledged}; what is left verifies`;
});

await check("a full disk", async () => {
  const disk = new SmallDisk();
  try {
    if (disk.problem !== null) return { skipped: disk.problem };
    const { beforeFull, refused, afterFull } = await fillDisk(disk.folder);
    return `${beforeFull} rows, then ${refused} refused, then ${afterFull} more once there was room`;
  } finally {
    disk.remove();
  }
});

await check("a disk that a batch run fills", async () => {
  const disk = new SmallDisk();
  try {
    if (disk.problem !== null) return { skipped: disk.problem };
    const { before, all } = await fillDiskByBatch(disk.folder);
    return `stopped after ${before} of ${all} records, resumed to the end once there was room`;
  } finally {
    disk.remove();
  }
});

for (const durability of ["power_loss", "process"] as const) {
  for (const failing of [10, 25, 100]) {
    await check(`EIO in fsync number ${failing} of the daemon, audit.durability: ${durability}`, async () => {
      const skipped = whyNoInjection();
      return skipped === null ? breakFsync(failing, durability) : { skipped };
    });
  }
}

const loads: Readonly<Record<string, () => Promise<string>>> = {
  "500 sockets that never finish asking, and others that do": () => slowSockets(500),
  "a body of 1 GB": () => hugeBody(1024),
  "a storm of 50,000 events": () => storm(50_000),
  "60 s of everything": () => {
    const untilMs = performance.now() + 60_000;
    return soak(() => performance.now() > untilMs);
  },
};
for (const [name, work] of Object.entries(loads))
  await check(name, async () => (noProc === false ? work() : { skipped: noProc }));

process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped\n`);
process.exitCode = tally.failed > 0 ? 1 : 0;

async function check(name: string, work: () => Promise<string | { skipped: string }>): Promise<void> {
  if (!name.includes(values.only)) return;
  const startedAtMs = performance.now();
  const took = () => `${((performance.now() - startedAtMs) / 1e3).toFixed(1)} s`;
  try {
    const told = await work();
    const isSkipped = typeof told !== "string";
    tally[isSkipped ? "skipped" : "passed"]++;
    process.stdout.write(isSkipped ? `- ${name}: ${told.skipped}\n` : `✔ ${name}: ${told} (${took()})\n`);
  } catch (error) {
    tally.failed++;
    process.stdout.write(`✖ ${name} (${took()})\n`);
    console.error(error);
  }
}
