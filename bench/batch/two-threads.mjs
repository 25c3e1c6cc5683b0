// The best two-thread copy that we know how to write: whole chunks of lines handed to two threads, each line parsed and its
// text taken over as it is, results written in order. No checkpoint, no ids, no counts: what is lost is lost.
// `node two-threads.mjs INPUT OUTPUT`
import { open } from "node:fs/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const blockBytes = 1024 * 1024;

if (isMainThread) await copy(process.argv[2], process.argv[3]);
else parentPort.on("message", (lines) => answer(Buffer.from(lines.buffer, 0, lines.length)));

async function copy(from, to) {
  const [input, output] = [await open(from, "r"), await open(to, "w")];
  const threads = [new Worker(import.meta.filename), new Worker(import.meta.filename)];
  const answers = threads.map(() => []);
  for (const [at, thread] of threads.entries()) {
    thread.on("message", (results) => answers[at].shift()(results));
  }
  const pending = [];
  let held = Buffer.alloc(0);
  const writeOne = async () => {
    const results = await pending.shift();
    await output.write(results);
  };
  for (let number = 0; ; number++) {
    const block = Buffer.allocUnsafeSlow(held.length + blockBytes);
    held.copy(block);
    const { bytesRead } = await input.read(block, held.length, blockBytes);
    const length = held.length + bytesRead;
    const end = bytesRead === 0 ? length : block.lastIndexOf(10, length - 1) + 1;
    held = Buffer.from(block.subarray(end, length));
    if (end > 0) {
      const at = number % 2;
      pending.push(new Promise((resolve) => answers[at].push(resolve)));
      threads[at].postMessage(new Uint8Array(block.buffer, 0, end), [block.buffer]);
    }
    if (bytesRead === 0) break;
    if (pending.length >= 6) await writeOne();
  }
  while (pending.length > 0) await writeOne();
  await output.close();
  await input.close();
  await Promise.all(threads.map((thread) => thread.terminate()));
}

function answer(lines) {
  const text = lines.latin1Slice();
  let results = "";
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const line = text.slice(start, newline);
    start = newline + 1;
    const { record_id } = JSON.parse(line);
    results += `{"record_id":${JSON.stringify(record_id)},"output":${line}}\n`;
  }
  const bytes = Buffer.from(results, "latin1");
  parentPort.postMessage(bytes, [bytes.buffer]);
}
