import zlib from "node:zlib";
import { NotReadable, readBoundedFile } from "../../../base/bounded-file.ts";

/** Node unpacks a file as a whole, or not while we wait for it: both of these are in memory at once. */
const maxPackedBytes = 8 * 1024 * 1024;
const maxUnpackedBytes = 16 * 1024 * 1024;

/** What a file packed with Zstandard holds. A larger one is `NotReadable`, as is any before Node 22.15. */
export function* unpackedChunksOf(file: string, onRead: (bytes: number) => void): Generator<Buffer> {
  const { zstdDecompressSync: unpack } = zlib as Partial<Pick<typeof zlib, "zstdDecompressSync">>;
  if (unpack === undefined) throw new NotReadable(`it is packed, and this Node cannot unpack it: ${remedy}`);
  const { bytes } = readBoundedFile(file, maxPackedBytes);
  onRead(bytes.length);
  try {
    yield unpack(bytes, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    throw new NotReadable(`it is packed, and cannot be unpacked: ${(error as Error).message}; ${remedy}`);
  }
}

const remedy = "zstd -d --keep makes it readable";
