// One thread of the echo processor: chunks in, what became of them out, buffers handed over rather than copied.
import { parentPort, workerData } from "node:worker_threads";
import type { Chunk } from "../../ports/processor.ts";
import { echoChunk } from "./echo-chunk.ts";

const { idField } = workerData as { readonly idField: string };

parentPort?.on("message", ({ lines, ...rest }: Omit<Chunk, "lines"> & { readonly lines: Uint8Array }) => {
  const startedAt = performance.now();
  const chunk = { ...rest, lines: Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength) };
  const { results, errors, idHashes, ...counts } = echoChunk(chunk, idField);
  (lines.buffer as ArrayBuffer).transfer(0); // given back at once, not when V8 next looks
  const answer = { ...counts, results, errors, idHashes, ms: performance.now() - startedAt };
  // Small buffers share one of Node's: that is copied, a buffer of its own is handed over.
  const owned = [results, errors, idHashes].flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && byteLength > Buffer.poolSize ? [buffer] : [],
  );
  parentPort?.postMessage(answer, owned);
});
