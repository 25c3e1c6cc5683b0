// The process of one batch run. Its first line on standard input is a RunnerOrder; `{"type":"stop"}`, or the end of the
// input because whoever started it is gone, has it stop at a checkpoint. It tells RunnerMessages on standard output.
import { createInterface } from "node:readline";
import { systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { suggest } from "../../base/suggest.ts";
import { runBatch } from "./run-batch.ts";
import type { RunnerMessage, RunnerOrder } from "./run-spec.ts";
import type { ProcessorKind } from "./port/processor.ts";
import { processorKinds } from "./processors/index.ts";

const stopping = new AbortController();
// Nobody listens any more: the files say the rest.
process.stdout.on("error", () => stopping.abort());
// A terminal's Ctrl-C reaches every process in front of it; whoever started this one decides what it means.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => stopping.abort());

const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.on("close", () => stopping.abort());
lines.once("line", (line) => {
  lines.on("line", () => stopping.abort());
  void run(JSON.parse(line) as RunnerOrder);
});

async function run(order: RunnerOrder): Promise<void> {
  tell(
    await runBatch(order, {
      kind: () => kindOf(order),
      clock: systemClock,
      env: process.env,
      sandbox: order.sandbox,
      signal: stopping.signal,
      tell,
    }),
  );
  lines.close();
  process.stdin.destroy();
}

function tell(message: RunnerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function kindOf({ spec: { processor } }: RunnerOrder): ProcessorKind {
  const kind = Object.hasOwn(processorKinds, processor) ? processorKinds[processor] : undefined;
  if (kind !== undefined) return kind;
  const known = Object.keys(processorKinds);
  throw new SwarmError("SWARM_BATCH_PROCESSOR_UNKNOWN", {
    processor,
    known,
    suggestion: suggest(processor, known),
  });
}
