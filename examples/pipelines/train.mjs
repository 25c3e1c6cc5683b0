// Logistic regression, by so many rounds of gradient descent.
import { readFileSync, writeFileSync } from "node:fs";

const rows = readFileSync("build/train.jsonl", "utf8").trim().split("\n").map(JSON.parse);
const weights = [0, 0, 0, 0];
for (let round = 0; round < Number(process.env.ROUNDS); round++) {
  const slope = [0, 0, 0, 0];
  for (const { features, fraud } of rows) {
    const values = [1, ...features];
    const sum = values.reduce((total, value, at) => total + value * weights[at], 0);
    const miss = 1 / (1 + Math.exp(-sum)) - fraud;
    for (const [at, value] of values.entries()) slope[at] += (miss * value) / rows.length;
  }
  for (const at of weights.keys()) weights[at] -= 0.5 * slope[at];
}
writeFileSync("build/model.json", `${JSON.stringify({ weights })}\n`);
console.log(`weights ${weights.map((weight) => weight.toFixed(3)).join(" ")}`);
