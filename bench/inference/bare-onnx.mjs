// The least that answers a file by an ONNX model: RUNTIME MODEL INPUT OUTPUT BATCH.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";

const [runtime, model, input, output, batch] = process.argv.slice(2);
const { InferenceSession, Tensor } = createRequire(import.meta.url)(runtime);
const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
const [name] = session.inputNames;
const names = Array.from({ length: 30 }, (_, index) => `f${index}`);
const lines = readFileSync(input, "utf8").split("\n");
lines.pop();
const file = openSync(output, "w");
for (let from = 0; from < lines.length; from += Number(batch)) {
  const records = lines.slice(from, from + Number(batch)).map((line) => JSON.parse(line));
  const data = new Float32Array(records.length * names.length);
  records.forEach((record, row) => {
    names.forEach((feature, column) => {
      data[row * names.length + column] = record[feature];
    });
  });
  const answers = await session.run({ [name]: new Tensor("float32", data, [records.length, names.length]) });
  const outputs = Object.entries(answers).map(([key, { data }]) => [key, data, data.length / records.length]);
  const rows = records.map((record, row) => {
    const output = Object.fromEntries(
      outputs.map(([key, data, size]) => [
        key,
        size === 1 ? Number(data[row]) : [...data.slice(row * size, (row + 1) * size)],
      ]),
    );
    return `${JSON.stringify({ record_id: record.record_id, output })}\n`;
  });
  writeSync(file, rows.join(""));
}
closeSync(file);
