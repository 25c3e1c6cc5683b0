// Runs one contestant of a scene once and prints how many mebibytes that took: `node --expose-gc run-peak.ts SCENE NAME`.
import { toolCall } from "./handlers.ts";
import { kept } from "./measure.ts";
import { scenes } from "./scenes.ts";

const [index = "", name = ""] = process.argv.slice(2);
const contestant = scenes[Number(index)]?.contestants().find((one) => one.name === name);
if (contestant === undefined) throw new Error(`no contestant ${name} in scene ${index}`);
globalThis.gc?.();
const before = process.memoryUsage.rss();
kept.result = await contestant.run(toolCall(0));
// In KiB, and of this process alone: what the programs take themselves is not in it.
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify((maxRSS * 1024 - before) / (1024 * 1024)));
