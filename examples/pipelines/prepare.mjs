// Takes the snapshot apart: every fourth transaction is kept to test with.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [head, ...lines] = readFileSync(process.env.SWARM_DATA, "utf8").trim().split("\n");
const names = head.split(",");
const rows = lines.map((line) => {
  const row = Object.fromEntries(line.split(",").map((value, at) => [names[at], value]));
  const hour = Number(row.hour);
  const features = [Math.log(Number(row.amount)), hour < 6 || hour > 22 ? 1 : 0, Number(row.foreign)];
  return { id: row.id, features, fraud: Number(row.fraud) };
});
const jsonl = (some) => `${some.map((row) => JSON.stringify(row)).join("\n")}\n`;
mkdirSync("build", { recursive: true });
writeFileSync("build/train.jsonl", jsonl(rows.filter((_, at) => at % 4 !== 0)));
writeFileSync("build/test.jsonl", jsonl(rows.filter((_, at) => at % 4 === 0)));
console.log(`${rows.length} transactions`);
