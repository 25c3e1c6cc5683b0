import { type FileHandle, open } from "node:fs/promises";
import type { StreamedRequest } from "../rest/route.ts";

/** Some of a file as it was when it was asked for: it may grow meanwhile. */
export interface FilePart {
  readonly file: string;
  readonly bytes: number;
  readonly type: string;
  /** Names exactly these bytes. */
  readonly tag: string;
  /** Has a browser save it by this name, of letters, digits and `_.-`, and never show it. */
  readonly saveAs?: string;
}

/** Were one shown after all, it would be of no origin, and nothing in it would run or be loaded. */
const harmless = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

const blockBytes = 64 * 1024;

/** Answers with the file's first `bytes` bytes, or with the part of them that was asked for. */
export function fileAnswer(part: FilePart, request: StreamedRequest): Response {
  const { file, bytes, type, tag, saveAs } = part;
  const etag = `"${tag}"`;
  const headers = {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    etag,
    ...(saveAs !== undefined && {
      "content-disposition": `attachment; filename="${saveAs}"`,
      "content-security-policy": harmless,
    }),
  };
  if (request.header("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const condition = request.header("if-range");
  const isAsked = condition === undefined || condition === etag;
  const range = isAsked ? rangeOf(request.header("range"), bytes) : null;
  if (range === "none")
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${bytes}` } });
  const { from, to } = range ?? { from: 0, to: bytes };
  const length = { "content-length": String(to - from) };
  const place = range === null ? {} : { "content-range": `bytes ${from}-${to - 1}/${bytes}` };
  return new Response(from === to ? null : bytesOf(file, from, to), {
    status: range === null ? 200 : 206,
    headers: { ...headers, ...length, ...place },
  });
}

/** Null: all of it, as also when several ranges or none we know are asked for. "none": nothing there is in it. */
function rangeOf(written: string | undefined, bytes: number): { from: number; to: number } | "none" | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(written ?? "");
  const [, first = "", last = ""] = found ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const from = Math.max(0, bytes - Number(last));
    return from === bytes ? "none" : { from, to: bytes };
  }
  const from = Number(first);
  if (last !== "" && Number(last) < from) return null;
  return from >= bytes ? "none" : { from, to: last === "" ? bytes : Math.min(bytes, Number(last) + 1) };
}

/** Opened when it is first read: of an answer to HEAD nothing ever is. */
function bytesOf(file: string, from: number, to: number): ReadableStream<Uint8Array> {
  let handle: FileHandle | null = null;
  let at = from;
  return new ReadableStream(
    {
      async pull(controller) {
        handle ??= await open(file);
        const block = new Uint8Array(Math.min(blockBytes, to - at));
        const { bytesRead } = await handle.read(block, 0, block.length, at);
        at += bytesRead;
        if (bytesRead === 0) controller.error(new Error(`${file} is shorter than it was`));
        else controller.enqueue(block.subarray(0, bytesRead));
        if (bytesRead > 0 && at < to) return;
        await handle.close();
        if (bytesRead > 0) controller.close();
      },
      async cancel() {
        await handle?.close();
      },
    },
    { highWaterMark: 0 },
  );
}
