import { inflateSync } from "node:zlib";

const entryBytes = 20;
const headBytes = 44;

/**
 * A WOFF font as the OpenType font it was made of. The reader of fonts takes WOFF too, but unpacks the table of
 * outlines again for every glyph: 2.3 ms for a table cell instead of 1.
 */
export function openTypeOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const largest = 2 ** Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(largest * 16, 6);
  head.writeUInt16BE(Math.log2(largest), 8);
  head.writeUInt16BE((count - largest) * 16, 10);
  const parts: Buffer[] = [head];
  let offset = head.length;
  for (let index = 0; index < count; index++) {
    const entry = headBytes + entryBytes * index;
    const at = woff.readUInt32BE(entry + 4);
    const packedBytes = woff.readUInt32BE(entry + 8);
    const bytes = woff.readUInt32BE(entry + 12);
    const packed = woff.subarray(at, at + packedBytes);
    const row = 12 + 16 * index;
    woff.copy(head, row, entry, entry + 4); // the table's name
    woff.copy(head, row + 4, entry + 16, entry + 20); // its checksum
    head.writeUInt32BE(offset, row + 8);
    head.writeUInt32BE(bytes, row + 12);
    const padding = Buffer.alloc((4 - (bytes % 4)) % 4); // tables begin at multiples of four
    parts.push(packedBytes < bytes ? inflateSync(packed) : packed, padding);
    offset += bytes + padding.length;
  }
  return Buffer.concat(parts);
}
