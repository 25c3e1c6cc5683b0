import { sha256Wasm } from "./sha256-wasm.ts";
import { startProgram } from "./web-assembly.ts";

const blockBytes = 64;
const digestBytes = 32;
/** 0x80 and the length in bits follow a message. */
const endBytes = 9;
/** The longest message, which takes 3 ms the first time: the memory is a page of 64 KiB, and the program has some of it. */
export const maxBytes = 62 * 1024;
/** What is taken in at a time: V8 has better code for the next time when there is much of it. */
const stepBytes = 4096;

/** By native/sha256.ts; null where it cannot be run, and for a longer message. */
export function sha256ByCode(parts: readonly (string | Uint8Array)[]): Buffer | null {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (length > maxBytes) return null;
  if (program === undefined) program = load();
  if (program === null) return null;
  const { memory, messageAt, digestAt, begin, add } = program;
  let at = messageAt;
  for (const part of parts) {
    if (typeof part === "string") memory.write(part, at);
    else memory.set(part, at);
    at += Buffer.byteLength(part);
  }
  const end = messageAt + Math.ceil((length + endBytes) / blockBytes) * blockBytes;
  memory.fill(0, at, end);
  memory[at] = 0x80;
  memory.writeUInt32BE(length * 8, end - 4);
  begin();
  for (let from = messageAt; from < end; from += stepBytes) add(from, Math.min(from + stepBytes, end));
  return Buffer.from(memory.subarray(digestAt, digestAt + digestBytes)).swap32();
}

/** What native/sha256.ts exports. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly message: { readonly value: number };
  readonly digest: { readonly value: number };
  begin(): void;
  add(start: number, end: number): void;
}

interface Program extends Pick<Exports, "begin" | "add"> {
  readonly memory: Buffer;
  readonly messageAt: number;
  readonly digestAt: number;
}

let program: Program | null | undefined;

/** Null where there is no WebAssembly (`--jitless`), or too little address space for its memory. */
function load(): Program | null {
  try {
    const { memory, message, digest, begin, add } = startProgram<Exports>(sha256Wasm);
    return {
      memory: Buffer.from(memory.buffer),
      messageAt: message.value,
      digestAt: digest.value,
      begin,
      add,
    };
  } catch {
    return null;
  }
}
