// Measures one scene in a process of its own and prints what it found: `node --expose-gc run-scene.ts INDEX ROUNDS`.
import { bytesPerCall } from "./bytes.ts";
import { measure } from "./measure.ts";
import { measurePeaks } from "./peak-memory.ts";
import type { Measured } from "./processes.ts";
import { scenes } from "./scenes.ts";

const [index = Number.NaN, rounds = Number.NaN] = process.argv.slice(2).map(Number);
process.stdout.write(JSON.stringify(await runScene(index, rounds)));

async function runScene(sceneIndex: number, roundCount: number): Promise<Measured[]> {
  const scene = scenes[sceneIndex];
  if (scene === undefined) throw new Error(`no scene ${sceneIndex}`);
  const contestants = scene.contestants();
  for (const contestant of contestants) await scene.verify(contestant);
  const amounts = scene.measuredBy
    ? await scene.measuredBy(roundCount)
    : scene.isMemory
      ? await measurePeaks(sceneIndex, contestants, Math.min(roundCount, scene.maxRounds ?? roundCount))
      : await measure(contestants, roundCount, scene.batchSize);
  return contestants.map((contestant) => ({
    contestant: contestant.name,
    amounts: amounts.get(contestant.name) ?? [],
    bytes: scene.countsBytes ? [bytesPerCall(contestant)] : [],
  }));
}
