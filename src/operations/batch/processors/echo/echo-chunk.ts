import { isUtf8 } from "node:buffer";
import { errorRow, resultRow } from "../../port/batch-rows.ts";
import type { Chunk, ChunkEnd } from "../../port/processor.ts";
import { readRecord, recordsOf } from "../../port/records.ts";
import { Rows } from "../../port/rows.ts";
import { EchoProgram } from "./echo-program.ts";

/** What became of a chunk, but for how long it took. */
export type EchoedChunk = Omit<ChunkEnd, "latenciesMs">;

const newline = 0x0a;

/** Answers chunks with themselves: a record's text is taken over as it is, once it is known to be JSON. */
export class ChunkEcho {
  readonly #idField: string;
  readonly #program: EchoProgram | null;

  constructor(idField: string) {
    this.#idField = idField;
    this.#program = programFor(idField);
  }

  echo(chunk: Chunk): EchoedChunk {
    const { lines } = chunk;
    const program = this.#program;
    if (program === null || !isUtf8(lines)) return echoPlainly(chunk, this.#idField);
    const errorClasses: Record<string, number> = {};
    let [errors, failedCount] = ["", 0];
    program.load(chunk);
    for (let start = program.run(0); start < lines.length; ) {
      const found = lines.indexOf(newline, start);
      const end = found === -1 ? lines.length : found;
      const source = lines.toString("utf8", start, end);
      if (source.trim() !== "") {
        const { idText, problem } = readRecord(source, program.line, this.#idField);
        program.add(idText, problem === null ? resultRow(idText, source) : null);
        if (problem !== null) {
          errors += errorRow(idText, program.line, problem.class, problem.message);
          errorClasses[problem.class] = (errorClasses[problem.class] ?? 0) + 1;
          failedCount++;
        }
      }
      program.pass();
      start = program.run(end + 1);
    }
    const { results, idHashes } = program.take();
    const doneCount = idHashes.length / 2 - failedCount;
    return { results, errors: Buffer.from(errors), doneCount, failedCount, errorClasses, idHashes };
  }
}

/** Null where there is no WebAssembly (`--jitless`), or too little address space for it, and for a field no UTF-8 can name. */
function programFor(idField: string): EchoProgram | null {
  try {
    return idField.isWellFormed() ? new EchoProgram(idField) : null;
  } catch {
    return null;
  }
}

/** The lines of a chunk with bytes that are no UTF-8 fail if those are in them. */
function echoPlainly(chunk: Chunk, idField: string): EchoedChunk {
  const rows = new Rows();
  for (const record of recordsOf(chunk, idField)) {
    if (record.problem === null) rows.done(record, record.source, 0);
    else rows.failed(record, record.problem.class, record.problem.message);
  }
  return rows.take();
}
