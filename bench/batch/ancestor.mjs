// The shape of the batch runner this one follows: each row is synced, and every ten records the checkpoint, a list of all ids
// that are done, is written anew. `node ancestor.mjs INPUT OUTPUT CHECKPOINT`
import { createReadStream, fsyncSync, openSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const [from, to, checkpoint] = process.argv.slice(2);
const output = openSync(to, "w");
const done = [];
for await (const line of createInterface({ input: createReadStream(from) })) {
  const record = JSON.parse(line);
  writeSync(output, `${JSON.stringify({ record_id: record.record_id, output: record })}\n`);
  fsyncSync(output);
  done.push(record.record_id);
  if (done.length % 10 === 0) writeFileSync(checkpoint, JSON.stringify({ done }));
}
