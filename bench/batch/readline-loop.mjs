// What most people write first: `readline` and a loop, one record at a time. `node readline-loop.mjs INPUT OUTPUT`
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";

const [from, to] = process.argv.slice(2);
const output = createWriteStream(to);
for await (const line of createInterface({ input: createReadStream(from) })) {
  const record = JSON.parse(line);
  const row = `${JSON.stringify({ record_id: record.record_id, output: record })}\n`;
  if (!output.write(row)) await once(output, "drain");
}
output.end();
await once(output, "finish");
