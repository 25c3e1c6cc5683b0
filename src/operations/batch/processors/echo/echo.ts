import type { ProcessorKind } from "../../port/processor.ts";
import { ChunkEcho } from "./echo-chunk.ts";

/**
 * Records as they come. For trying things out, and for knowing what a run costs without the work. No workers: the code is
 * ours, nothing in it can take the runner down, and handing a chunk to a thread took as long as doing it.
 */
export const echo: ProcessorKind = {
  doc: "Answers each record with itself.",
  fields: {},
  async open(_config, { idField, signal }) {
    signal.throwIfAborted();
    const echo = new ChunkEcho(idField);
    return {
      async run(chunk) {
        signal.throwIfAborted();
        const startedMs = performance.now();
        const end = echo.echo(chunk);
        const count = end.doneCount + end.failedCount;
        const ms = (performance.now() - startedMs) / Math.max(count, 1);
        return { ...end, latenciesMs: new Float64Array(count).fill(ms) };
      },
      close: () => Promise.resolve(),
    };
  },
};
