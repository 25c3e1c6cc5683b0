import { parentPort, workerData } from "node:worker_threads";
import { PublicKey } from "../audit/signing-key.ts";
import type { PdfRange } from "./range.ts";
import { readRange, writePdf } from "./write-pdf.ts";
import type { Head, SignedHead } from "../../store/port/store.ts";
import { openStore } from "../../store/open-store.ts";

/** What one is started with. */
export interface PdfWork {
  /** Of the store. */
  readonly url: string;
  readonly publicKey: string;
  readonly head: SignedHead;
  readonly range: PdfRange;
  /** Null: nothing is written, the rows are only counted. */
  readonly file: string | null;
}

/** What it answers with. */
export interface PdfResult {
  readonly sha256: string;
  readonly bytes: number;
  readonly pages: number;
  readonly rows: number;
  readonly denials: number;
  readonly first: Head | null;
  readonly last: Head | null;
  readonly rows_sha256: string;
  readonly is_intact: boolean;
  /** What is wrong with the record, the first of it. */
  readonly problem: string | null;
}

/** A thread of its own: laying out pages takes seconds, and decisions are waited for meanwhile. */
async function work({ url, publicKey, head, range, file }: PdfWork): Promise<PdfResult> {
  const store = await openStore(url);
  try {
    const options = { store, key: new PublicKey(publicKey), head, range };
    const nothing = { sha256: "", bytes: 0, pages: 0 };
    const done =
      file === null ? { ...nothing, ...(await readRange(options)) } : await writePdf({ ...options, file });
    const { sha256, bytes, pages, summary, verification } = done;
    const { rows, denials, first, last, rowsDigest } = summary;
    const { is_intact, faults } = verification;
    const counted = { rows, denials, first, last, rows_sha256: rowsDigest };
    return { sha256, bytes, pages, ...counted, is_intact, problem: faults[0]?.problem ?? null };
  } finally {
    await store.close();
  }
}

parentPort?.postMessage(await work(workerData as PdfWork));
