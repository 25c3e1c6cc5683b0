import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { SwarmBench } from "../harness.cases.ts";
import { temporaryFile } from "../../store/sqlite/harness.cases.ts";

const program = join(import.meta.dirname, "claimer.cases.ts");
const tasks = 2_000;
const claimers = 8;
/** Longer than what a claimer that was killed had set aside stays so. */
const aheadMs = 150_000;

interface Ended {
  readonly signal: string | null;
  readonly printed: string;
}

function claimer(t: TestContext, file: string, name: string, ahead = 0) {
  const child = spawn(process.execPath, [program, file, name, String(ahead)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
    ([printed, said, [, signal]]): Ended => {
      if (signal === null) assert.equal(said, "");
      return { signal: signal as string | null, printed };
    },
  );
  return { child, ended };
}

test("of eight processes on one store, killed at random, no two are ever given the same task", async (t) => {
  const file = temporaryFile(t);
  const bench = new SwarmBench(t, file);
  for (let from = 0; from < tasks; from += 500)
    await bench.add(...Array.from({ length: 500 }, (_, at) => ({ task_id: `t${from + at}` })));
  const printed: string[] = [];
  let kills = 0;
  const work = async (name: string): Promise<void> => {
    for (let life = 0; ; life++) {
      const { child, ended } = claimer(t, file, `${name}_${life}`);
      // Each dies at a moment that nobody has chosen, most of them in the middle of a claim; the fourth lives.
      if (life < 3) {
        const dieAfter = 20 + Math.floor(Math.random() * 60);
        let lines = 0;
        child.stdout.on("data", (chunk: Buffer) => {
          lines += chunk.toString().split("\n").length - 1;
          if (lines >= dieAfter) child.kill("SIGKILL");
        });
      }
      const end = await ended;
      printed.push(end.printed);
      if (end.signal === null) return;
      kills++;
    }
  };
  await Promise.all(Array.from({ length: claimers }, (_, at) => work(`c${at}`)));
  printed.push((await claimer(t, file, "last", aheadMs).ended).printed);

  assert.ok(kills >= claimers, `${kills} were killed`);
  const given = printed.flatMap((one) => one.split("\n").filter((line) => / \d+$/.test(line)));
  assert.equal(new Set(given).size, given.length, "a task and epoch was given twice");
  const claims = (await bench.rows()).filter(({ reason }) => reason?.startsWith("claim "));
  assert.equal(claims.length, tasks);
  assert.equal(new Set(claims.map(({ task }) => task)).size, tasks, "each was claimed once");
  const claimed = new Set(claims.map(({ task }) => `${task} 1`));
  assert.deepEqual(
    given.filter((one) => !claimed.has(one)),
    [],
    "what was given is in the record",
  );
  assert.deepEqual(await bench.swarm.tasks.counts().then(({ open, claimed: held }) => [open, held]), [
    0,
    tasks,
  ]);
});
