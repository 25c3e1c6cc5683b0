import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { PublicKey } from "../audit/signing-key.ts";
import { type Verification, verifyRecord } from "../audit/verify.ts";
import { version } from "../../base/version.ts";
import { genesisHash, type RecordedChange, type RunEvent } from "../port/run-event.ts";
import type { SignedHead, Store } from "../../store/port/store.ts";
import { openFonts } from "./fonts.ts";
import { openDocument } from "./pdf-library.ts";
import { isInRange, type PdfRange } from "./range.ts";
import { rangeText } from "./range-text.ts";
import { rowsBetween } from "./rows.ts";
import { approvalsSection } from "./sections/approvals.ts";
import { chainSection } from "./sections/chain.ts";
import { coverSection } from "./sections/cover.ts";
import { decisionsSection } from "./sections/decisions.ts";
import { driftSection } from "./sections/drift.ts";
import { everyRowSection } from "./sections/every-row.ts";
import { failuresSection } from "./sections/failures.ts";
import { inForceSection } from "./sections/in-force.ts";
import { runsSection } from "./sections/runs.ts";
import type { Section } from "./sections/section.ts";
import { margin, Sheet } from "./sheet.ts";
import { Summary } from "./summary.ts";

export interface WriteOptions {
  readonly store: Pick<Store, "readRunEvents" | "findPayload">;
  readonly key: PublicKey;
  /** Rows after it are left out: nobody has vouched for them. */
  readonly head: SignedHead;
  readonly range: PdfRange;
  /** Must not exist. */
  readonly file: string;
}

/** What was written, and from which rows. */
export interface Written {
  readonly sha256: string;
  readonly bytes: number;
  readonly pages: number;
  readonly summary: Summary;
  readonly verification: Verification;
}

const making: RecordedChange = "audit.pdf";

const sections: readonly Section[] = [
  coverSection,
  runsSection,
  driftSection,
  decisionsSection,
  approvalsSection,
  failuresSection,
  inForceSection,
  chainSection,
  everyRowSection,
];

/**
 * Writes a range of the record as a PDF. The rows are read once to check the whole chain and to count, and once for
 * every part that lists some. Given the same record, head and range, it writes the same bytes.
 */
export async function writePdf(options: WriteOptions): Promise<Written> {
  const { store, key, head, range, file } = options;
  const { summary, verification } = await readRange(options);
  const title = `Audit report, ${rangeText(range)}`;
  const document = openDocument({
    size: "A4",
    margin,
    autoFirstPage: false,
    fontLayoutCache: false,
    pdfVersion: "1.7",
    lang: "en",
    displayTitle: true,
    info: {
      Title: title,
      Subject: `Rows ${summary.first?.seq ?? 0} to ${summary.last?.seq ?? 0} of the record with head ${head.hash}`,
      Keywords: "audit, hooks, decisions, approvals",
      Author: "swarm-hooks",
      Creator: `swarm-hooks ${version()}`,
      Producer: "pdfkit",
      CreationDate: new Date(head.time),
    },
  });
  const output = new Output(file);
  try {
    document.on("data", (chunk: Uint8Array) => output.write(chunk));
    const ended = new Promise((resolve, reject) => document.once("end", resolve).once("error", reject));
    const foot = `head ${head.seq} ${head.hash.slice(0, 16)}… signed by key ${head.key_id}`;
    const sheet = new Sheet(document, openFonts(document), { title, foot });
    const rows = () => chosen(options, summary);
    for (const section of sections) {
      await section({
        sheet,
        range,
        summary,
        head,
        publicKey: key.pem,
        verification,
        version: version(),
        rows,
        store,
      });
    }
    const { pages } = sheet;
    sheet.end();
    await ended;
    return { ...output.end(), pages, summary, verification };
  } finally {
    output.close();
  }
}

/** Counts what is in the range without writing anything. */
export async function readRange({
  store,
  key,
  head,
  range,
}: Omit<WriteOptions, "file">): Promise<Pick<Written, "summary" | "verification">> {
  const summary = new Summary();
  let ownIntent: string | null = null; // the making of this document, which is under way
  async function* read() {
    for await (const row of rowsBetween(store, 0, head.seq)) {
      if (isInRange(range, row)) summary.add(row);
      if (row.kind === "intent" && row.event === making) ownIntent = row.id;
      // Payloads are checked by `swarm audit verify`: a thousand of them at once would be all the memory there is.
      yield { row, payload: null };
    }
  }
  const verification = await verifyRecord({
    start: { seq: 0, hash: genesisHash },
    rows: read(),
    signedHead: () => head,
    mayHaveUnsignedRows: false,
    key,
    anchors: [],
  });
  const open_intents = verification.open_intents.filter((id) => id !== ownIntent);
  return { summary, verification: { ...verification, open_intents } };
}

async function* chosen({ store, range }: WriteOptions, { first, last }: Summary): AsyncGenerator<RunEvent> {
  if (first === null || last === null) return;
  let count = 0;
  for await (const row of rowsBetween(store, first.seq - 1, last.seq)) {
    if (isInRange(range, row)) yield row;
    // What has been written of the document leaves memory between turns of the event loop.
    if (++count % 64 === 0) await turn();
  }
}

/** A file that is hashed as it is written, and on the disk when it is done. */
class Output {
  readonly #descriptor: number;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #isOpen = true;

  constructor(file: string) {
    this.#descriptor = openSync(file, "wx", 0o600);
  }

  write(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = 0; at < chunk.length; ) at += writeSync(this.#descriptor, chunk, at);
  }

  end(): { sha256: string; bytes: number } {
    fsyncSync(this.#descriptor);
    return { sha256: this.#hash.digest("hex"), bytes: this.#bytes };
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
