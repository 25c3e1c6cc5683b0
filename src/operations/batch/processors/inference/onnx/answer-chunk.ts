import { performance } from "node:perf_hooks";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import { type InputRecord, recordOn } from "../../../port/records.ts";
import type { ChunkWork, PartTeller, ToldRecord } from "../../part-teller.ts";
import { FlatLines } from "../flat-lines.ts";
import type { ModelConfig } from "../model-config.ts";
import { packScored } from "../scored-wire.ts";
import type { Batch } from "./batch.ts";
import type { OnnxModel, RecordFailure } from "./model.ts";

export function workOf(model: OnnxModel, idField: string, config: ModelConfig): ChunkWork {
  const numbers = model.numberFields;
  const fields = {
    numbers: numbers ?? [],
    idField,
    labelField: config.label_field,
    isSingle: model.isSingle,
  };
  const flat = new FlatLines(fields);
  const batch = model.batch();
  return async (teller) => {
    // One by one, when it is known that some record of them does not end.
    if (teller.isCareful) for (const item of teller.records) await answerRecords(model, [item], teller);
    else if (numbers !== null && flat.learn(firstLine(teller.chunk.lines)))
      await answerLines(model, flat, batch, teller);
    else await answerRecords(model, teller.records, teller);
  };
}

function firstLine(lines: Buffer): string {
  const end = lines.indexOf(newline);
  return lines.toString("latin1", 0, end === -1 ? lines.length : end);
}

async function answerRecords(
  model: OnnxModel,
  items: readonly InputRecord[],
  teller: PartTeller,
): Promise<void> {
  const startedMs = performance.now();
  const { rows, scored } = await model.predict(items.map(({ record }) => record as JsonObject));
  const latencyMs = (performance.now() - startedMs) / items.length;
  for (const [at, item] of items.entries()) {
    if (at === items.length - 1) teller.count(...scored.map(packScored));
    tell(item, rows[at] as string | RecordFailure, latencyMs, teller);
  }
}

/** A line on its way. `failure`: why the model was not asked. */
interface Asked extends ToldRecord {
  readonly failure: InputRecord["problem"] | RecordFailure | null;
  readonly isRecord: boolean;
}

/** Lines that are alike go into the model's inputs as they are read; each that is not is parsed like any other. */
async function answerLines(
  model: OnnxModel,
  flat: FlatLines,
  batch: Batch,
  teller: PartTeller,
): Promise<void> {
  const { chunk, idField } = teller;
  const { lines } = chunk;
  batch.clear();
  let asked: Asked[] = [];
  let startedMs = performance.now();
  for (let at = 0, line = chunk.firstLine; at < lines.length; line++) {
    const next = flat.read(lines, at);
    if (next !== -1) {
      batch.addNumbers(flat.values, flat.label(lines));
      asked.push({ line, idText: flat.idText(lines) ?? String(line), failure: null, isRecord: true });
      at = next;
    } else {
      const end = lines.indexOf(newline, at);
      const item = recordOn(lines.subarray(at, end === -1 ? lines.length : end), line, idField);
      at = end === -1 ? lines.length : end + 1;
      if (item === null) continue;
      const { idText, record, problem } = item;
      const failure = record === null ? problem : batch.add(record);
      asked.push({ line, idText, failure, isRecord: record !== null });
    }
    if (batch.count < model.rowsPerCall) continue;
    await answer();
    asked = [];
    batch.clear();
    startedMs = performance.now();
  }
  await answer();

  async function answer(): Promise<void> {
    const { rows, scored } = await model.answer(batch);
    const latencyMs = (performance.now() - startedMs) / asked.length;
    const last = asked.at(-1);
    let place = 0;
    for (const item of asked) {
      if (item === last) teller.count(...scored.map(packScored));
      const row = item.failure ?? (rows[place++] as string | RecordFailure);
      tell(item, row, item.isRecord ? latencyMs : null, teller);
    }
  }
}

function tell(
  item: ToldRecord,
  row: string | { readonly class: string; readonly message: string },
  latencyMs: number | null,
  teller: PartTeller,
): void {
  if (typeof row === "string") teller.done(item, row, latencyMs ?? 0);
  else teller.failed(item, row.class, row.message, latencyMs);
}

const newline = 0x0a;
