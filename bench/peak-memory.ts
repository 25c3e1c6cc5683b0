import type { Contestant } from "./contestants/contestant.ts";
import { type Amounts, inTurn } from "./measure.ts";
import { runScript } from "./processes.ts";

/** Peaks differ by a few percent from run to run, and each takes a new process. */
const maxRounds = 5;

/** The mebibytes one run of each contestant takes at most, in a process of its own: a peak cannot be undone. */
export async function measurePeaks(
  sceneIndex: number,
  contestants: readonly Contestant[],
  rounds: number,
): Promise<Amounts> {
  const peaks = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
    for (const { name } of inTurn(contestants, round)) {
      const peak = await runScript("run-peak.ts", [String(sceneIndex), name]);
      peaks.get(name)?.push(Number(peak));
    }
  }
  return peaks;
}
