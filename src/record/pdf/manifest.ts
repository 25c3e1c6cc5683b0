import { readFileSync } from "node:fs";
import type { SigningKey } from "../audit/signing-key.ts";
import { PublicKey } from "../audit/signing-key.ts";
import { SwarmError } from "../../base/errors.ts";
import { genesisHash } from "../port/run-event.ts";
import type { Head, SignedHead } from "../../store/port/store.ts";
import { type PdfRange, pdfKinds } from "./range.ts";

const format = "swarm-hooks audit pdf 1";

/** What lies beside a PDF: which file it is, which rows it was made from, and a signature over all of that. */
export interface Manifest {
  readonly format: typeof format;
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly pages: number;
  readonly version: string;
  readonly range: PdfRange;
  /** How many rows of the record are in the range. */
  readonly rows: number;
  readonly first: Head | null;
  readonly last: Head | null;
  /** SHA-256 over the hashes of those rows, in their order. */
  readonly rows_sha256: string;
  /** Whether the whole record was intact when it was made. */
  readonly is_intact: boolean;
  readonly head: SignedHead;
  readonly public_key: string;
  /** Ed25519, base64. */
  readonly signature: string;
}

export function manifestName(file: string): string {
  return `${file}.manifest.json`;
}

export function signedManifest(
  told: Omit<Manifest, "format" | "public_key" | "signature">,
  key: SigningKey,
): Manifest {
  const unsigned = ordered({ format, ...told, public_key: key.publicKey.pem });
  return { ...unsigned, signature: key.signText(format, JSON.stringify(unsigned)) };
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The manifest of a PDF, if it is one; who signed it is another question. */
export function readManifest(pdf: string): Manifest {
  const file = manifestName(pdf);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
  try {
    const given = JSON.parse(text) as Manifest;
    if (given.format !== format) throw unreadable(file, `it is no manifest, expected "format": "${format}"`);
    const manifest = { ...ordered(given), signature: String(given.signature) };
    // A name that stands twice, or one more than these, would be vouched for by nothing.
    if (manifestText(manifest) === text) return manifest;
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    throw unreadable(file, "it is no manifest of a PDF");
  }
  throw unreadable(file, "it is not written as a manifest is");
}

export function isSignedBy(key: PublicKey, { signature, ...unsigned }: Manifest): boolean {
  return unsigned.public_key === key.pem && key.hasSignedText(format, JSON.stringify(unsigned), signature);
}

/** Throws when it is none. */
export function keyOf({ public_key }: Manifest): PublicKey {
  return new PublicKey(public_key);
}

/** Every field in its place and of its type: what is signed is a text. */
function ordered(given: Omit<Manifest, "signature">): Omit<Manifest, "signature"> {
  const { kind, run_id, from, to, rows } = given.range;
  if (!pdfKinds.includes(kind)) throw new TypeError("no kind of PDF");
  return {
    format,
    file: String(given.file),
    sha256: digestOf(given.sha256),
    bytes: wholeOf(given.bytes),
    pages: wholeOf(given.pages),
    version: String(given.version),
    range: {
      kind,
      run_id: textOrNull(run_id),
      from: textOrNull(from),
      to: textOrNull(to),
      rows: rows === "all" ? "all" : "notable",
    },
    rows: wholeOf(given.rows),
    first: positionOf(given.first),
    last: positionOf(given.last),
    rows_sha256: digestOf(given.rows_sha256),
    is_intact: given.is_intact === true,
    head: headOf(given.head),
    public_key: String(given.public_key),
  };
}

function headOf({ seq, hash, time, key_id, signature }: SignedHead): SignedHead {
  const position = seq === 0 ? { seq: 0, hash: genesisHash } : { seq: wholeOf(seq), hash: digestOf(hash) };
  return { ...position, time: String(time), key_id: String(key_id), signature: String(signature) };
}

function positionOf(given: Head | null): Head | null {
  return given === null ? null : { seq: wholeOf(given.seq), hash: digestOf(given.hash) };
}

function digestOf(value: unknown): string {
  if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) return value;
  throw new TypeError("no SHA-256");
}

function wholeOf(value: unknown): number {
  if (Number.isSafeInteger(value)) return Number(value);
  throw new TypeError("no whole number");
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

function unreadable(file: string, problem: string): SwarmError {
  return new SwarmError("SWARM_MANIFEST_UNREADABLE", { file, problem });
}
