// A worker process: it is told what to do on descriptor 3, answers on 4, and ends when whoever started it does.
import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import type { JsonObject } from "../../../engine/events/schema.ts";
import type { Chunk } from "../port/processor.ts";
import { type ChunkHeader, type Frame, FrameReader, frame, freeBody } from "./frames.ts";
import { type ChunkWork, type OpenedWork, PartTeller } from "./part-teller.ts";
import { say, sayFailed } from "./say.ts";

const input = 3;
/** Room for what has come of a chunk, used again and again: as much as a socket holds. */
const readBytes = 256 * 1024;

/** What a worker does to chunks, once it was told. */
type Opening = (open: JsonObject) => Promise<ChunkWork | OpenedWork>;

const openings: Readonly<Record<string, () => Promise<Opening>>> = {
  custom: async () => (await import("./custom/node-function.ts")).openFunction,
  command: async () => (await import("./command/line-program.ts")).openProgram,
  onnx: async () => (await import("./inference/onnx/work.ts")).openOnnx,
};

watchParent();
serve();

function serve(): void {
  let work: ChunkWork | null = null;
  let idField = "";
  const answer = async ({ header, body }: Frame): Promise<void> => {
    if (work === null) {
      const open = header.open as { readonly kind: string; readonly id_field: string } & JsonObject;
      idField = open.id_field;
      work = await opened(open);
      return;
    }
    const { first_line, line_count, tell_ms } = header as unknown as ChunkHeader;
    const chunk: Chunk = { firstLine: first_line, lineCount: line_count, lines: body };
    const teller = new PartTeller(chunk, idField, tell_ms, say);
    await work(teller);
    teller.finish();
    freeBody(body);
  };
  // A failure of ours ends the process, as an uncaught one of the function's does: whoever waits for it is told by that.
  const reader = new FrameReader((asked) => void answer(asked));
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  const callback = (length: number) => {
    reader.add(buffer.subarray(0, length));
    return true;
  };
  const socket = new Socket({ fd: input, readable: true, writable: false, onread: { buffer, callback } });
  socket.on("end", () => process.exit(0));
  socket.resume();
}

async function opened(open: { readonly kind: string } & JsonObject): Promise<ChunkWork> {
  try {
    const opening = await openings[open.kind]?.();
    if (opening === undefined) throw new Error(`no work is called ${open.kind}`);
    const made = await opening(open);
    const { work, facts } = typeof made === "function" ? { work: made, facts: {} } : made;
    say(frame({ ready: true, facts }));
    return work;
  } catch (error) {
    // Before it is said: whoever hears it ends this process.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    sayFailed(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

/**
 * Standard input is a pipe nothing is ever written to: it ends when the parent does, even by KILL. A thread looks,
 * because a function may keep this one busy for ever. The whole group goes: what the function has started too.
 */
function watchParent(): void {
  const program = `
    const { Socket } = require("node:net");
    const end = () => process.kill(0, "SIGKILL");
    new Socket({ fd: 0, readable: true, writable: false }).on("end", end).on("error", end).resume();`;
  // Its share of memory is small: it has no code but this.
  new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16, stackSizeMb: 1 } }).unref();
}
