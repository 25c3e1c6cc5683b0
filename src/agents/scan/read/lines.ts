import { HeldBytes } from "./held-bytes.ts";

const newline = 0x0a;

/** The lines of a file that are not blank. One of more than `maxBytes` is passed over and told, and costs no memory. */
export function* linesOf(
  chunks: Iterable<Buffer>,
  maxBytes: number,
  onTooLong: () => void,
): Generator<string> {
  const line = new HeldBytes(maxBytes);
  const take = (): string => {
    if (line.isTooLong) onTooLong();
    const text = line.text();
    line.clear();
    return text;
  };
  for (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      line.add(chunk.subarray(start, end));
      start = end + 1;
      const text = take();
      if (text.trim() !== "") yield text;
    }
    line.add(chunk.subarray(start));
  }
  const last = take();
  if (last.trim() !== "") yield last;
}
