import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  type VerifiableRecord,
  type VerifiableRow,
  type Verification,
  verifyRecord,
} from "../audit/verify.ts";
import { SwarmError } from "../../base/errors.ts";
import { isSignedBy, type Manifest } from "./manifest.ts";
import { isInRange } from "./range.ts";

/** `pdf`: the file is another one. `manifest`: what lies beside it is. `rows`: the record is. */
export const pdfFaultKinds = ["pdf", "manifest", "rows"] as const;

export interface PdfFault {
  readonly kind: (typeof pdfFaultKinds)[number];
  readonly problem: string;
}

export interface PdfVerification {
  readonly is_intact: boolean;
  readonly file: string;
  readonly sha256: string;
  readonly pages: number;
  readonly rows: number;
  readonly range: Manifest["range"];
  readonly head_seq: number;
  readonly key_id: string;
  readonly faults: readonly PdfFault[];
  /** Of the whole record it is checked against. */
  readonly record: Verification;
}

/** Positions its rows and its head must still have in the record. */
export function anchorsOf({ head, first, last }: Manifest): VerifiableRecord["anchors"] {
  return [head, first, last].filter((each) => each !== null).filter(({ seq }) => seq > 0);
}

/** Checks a PDF against its manifest, the manifest against the record's key, and both against the record they came from. */
export async function verifyPdf(
  file: string,
  manifest: Manifest,
  record: VerifiableRecord,
): Promise<PdfVerification> {
  const { head, range, rows, pages } = manifest;
  const { key } = record;
  const faults: PdfFault[] = [];
  const blame = (kind: PdfFault["kind"], problem: string): void => void faults.push({ kind, problem });
  const { sha256, bytes } = await digestOf(file);
  if (!isSignedBy(key, manifest))
    blame("manifest", `the manifest was changed, or not signed by key ${key.id}`);
  else if (head.key_id !== key.id || !key.hasSigned(head))
    blame("manifest", `the head it names was not signed by key ${key.id}`);
  if (sha256 !== manifest.sha256)
    blame(
      "pdf",
      `the file is not the one the manifest is of: SHA-256 ${sha256} and ${bytes} bytes, expected ${manifest.sha256} and ${manifest.bytes}`,
    );
  const found = new FoundRows(manifest);
  const verification = await verifyRecord({ ...record, rows: found.watch(record.rows) });
  for (const { problem } of verification.faults) blame("rows", problem);
  if (found.count !== rows || found.digest !== manifest.rows_sha256)
    blame(
      "rows",
      `the rows of its range are not those it was made from: ${rows} then, ${found.count} now${found.count === rows ? ", others" : ""}`,
    );
  return {
    is_intact: faults.length === 0,
    file,
    sha256,
    pages,
    rows,
    range,
    head_seq: head.seq,
    key_id: key.id,
    faults,
    record: verification,
  };
}

/** The rows a manifest's range has now. */
class FoundRows {
  count = 0;
  readonly #hashes = createHash("sha256");
  readonly #manifest: Manifest;

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
  }

  get digest(): string {
    return this.#hashes.copy().digest("hex");
  }

  async *watch(rows: AsyncIterable<VerifiableRow>): AsyncGenerator<VerifiableRow> {
    const { head, range } = this.#manifest;
    for await (const found of rows) {
      if (found.row.seq <= head.seq && isInRange(range, found.row)) {
        this.count++;
        this.#hashes.update(found.row.hash);
      }
      yield found;
    }
  }
}

async function digestOf(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw new SwarmError("SWARM_MANIFEST_UNREADABLE", { file, problem: (error as Error).message });
  }
  return { sha256: hash.digest("hex"), bytes };
}
