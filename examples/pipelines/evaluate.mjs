// How often it is right about transactions it has not seen.
import { readFileSync, writeFileSync } from "node:fs";

const { weights } = JSON.parse(readFileSync("build/model.json", "utf8"));
const rows = readFileSync("build/test.jsonl", "utf8").trim().split("\n").map(JSON.parse);
const isFraud = ({ features }) =>
  [1, ...features].reduce((total, value, at) => total + value * weights[at], 0) > 0;
const right = rows.filter((row) => isFraud(row) === (row.fraud === 1)).length;
const caught = rows.filter((row) => row.fraud === 1 && isFraud(row)).length;
const frauds = rows.filter((row) => row.fraud === 1).length;
const metrics = { accuracy: right / rows.length, recall: caught / frauds, test: { rows: rows.length } };
writeFileSync("build/metrics.json", `${JSON.stringify(metrics)}\n`);
console.log(JSON.stringify(metrics));
