import { createReadStream } from "node:fs";
import { SwarmError } from "../../base/errors.ts";
import { printableJson } from "../../base/terminal-text.ts";
import { genesisHash, type RunEvent } from "../port/run-event.ts";
import type { Head, SignedHead, Store } from "../../store/port/store.ts";
import { PublicKey } from "./signing-key.ts";
import { storedRows } from "./stored-record.ts";
import type { VerifiableRecord, VerifiableRow } from "./verify.ts";

const format = "swarm-hooks audit 1";

/** The whole record as lines of JSON: what it is, every row with its payload, the signed head. */
export async function* exportLines(store: Store, key: PublicKey): AsyncGenerator<string> {
  const head = await store.signedHead();
  yield line({ format, key_id: key.id, public_key: key.pem });
  for await (const { row, payload } of storedRows(store, 0)) {
    // Rows that nobody has signed yet would make a good export look cut off or forged.
    if (head === null || row.seq > head.seq) break;
    yield line(payload === null ? row : { ...row, payload });
  }
  yield line({ head });
}

/** An export, to be verified without the store it came from. The file's own key is used unless one is given. */
export async function exportedRecord(
  file: string,
  pinned: PublicKey | null,
  anchors: readonly Head[],
): Promise<VerifiableRecord> {
  const lines = linesOf(file);
  const ownKey = await readOwnKey(file, lines);
  let head: SignedHead | null = null;
  async function* rows(): AsyncGenerator<VerifiableRow> {
    let hasEnded = false;
    for await (const { value, number } of lines) {
      if (hasEnded)
        throw unreadable(file, `line ${number} stands after the signed head, which ends an export`);
      hasEnded = "head" in value;
      if (!hasEnded) yield rowOf(value) ?? fail(file, `line ${number} is not a row of the record`);
      else if (value.head !== null)
        head = headOf(value.head) ?? fail(file, `line ${number} is not a signed head`);
    }
  }
  const start = { seq: 0, hash: genesisHash };
  const key = pinned ?? ownKey;
  return { start, rows: rows(), signedHead: () => head, mayHaveUnsignedRows: false, key, anchors };
}

function line(value: unknown): string {
  // Whoever looks at an export on a terminal reads it, and is not steered by it.
  return `${printableJson(value)}\n`;
}

/** The key in the first line, which tells that the file is an export at all. */
async function readOwnKey(file: string, lines: AsyncGenerator<Line, void>): Promise<PublicKey> {
  try {
    const { format: found, public_key: pem } = (await lines.next()).value?.value ?? {};
    if (found !== format)
      throw unreadable(file, `line 1 is not the head of an export, expected "format": "${format}"`);
    return new PublicKey(String(pem));
  } catch (error) {
    await lines.return(); // closes the file
    throw error instanceof SwarmError ? error : unreadable(file, "line 1 has a public_key that is none");
  }
}

interface Line {
  readonly number: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Lines end with a line feed and nothing else: Node's own reader takes U+2028 for an end too, which JSON does not. */
async function* linesOf(file: string): AsyncGenerator<Line, void> {
  let number = 0;
  let rest = "";
  for await (const chunk of chunksOf(file)) {
    const [first = "", ...others] = chunk.split("\n");
    const texts = [rest + first, ...others];
    rest = texts.pop() ?? "";
    for (const text of texts) yield parse(file, ++number, text);
  }
  if (rest !== "") yield parse(file, ++number, rest);
}

async function* chunksOf(file: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 20 }) as AsyncIterable<string>;
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
}

function parse(file: string, number: number, text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null; // a line that is no JSON and one that is no object are the same mistake
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unreadable(file, `line ${number} is not a JSON object`);
  // A name that stands twice in a line would be read one way by us and another way by somebody else.
  const written = text.trimEnd();
  // Exports of earlier versions have control characters as they are.
  if (printableJson(value) !== written && JSON.stringify(value) !== written)
    throw unreadable(file, `line ${number} is not written as an export writes it`);
  return { number, value: value as Line["value"] };
}

function rowOf({ payload = null, ...row }: Line["value"]): VerifiableRow | null {
  if (typeof row.seq !== "number" || !Array.isArray(row.handlers)) return null;
  if (payload !== null && !isPayload(payload)) return null;
  return { row: row as unknown as RunEvent, payload };
}

function isPayload(value: unknown): value is NonNullable<VerifiableRow["payload"]> {
  if (typeof value !== "object" || value === null) return false;
  const { before, after, ...others } = value as Record<string, unknown>;
  return [before, after].every((text) => text === null || typeof text === "string") && isEmpty(others);
}

function headOf(value: unknown): SignedHead | null {
  if (typeof value !== "object" || value === null) return null;
  const { seq, hash, time, key_id, signature, ...others } = value as Record<string, unknown>;
  const areTexts = [hash, time, key_id, signature].every((text) => typeof text === "string");
  return Number.isSafeInteger(seq) && areTexts && isEmpty(others) ? (value as SignedHead) : null;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function unreadable(file: string, problem: string): SwarmError {
  return new SwarmError("SWARM_EXPORT_UNREADABLE", { file, problem });
}

function fail(file: string, problem: string): never {
  throw unreadable(file, problem);
}
