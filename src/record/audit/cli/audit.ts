import { createWriteStream, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseJson } from "../../../base/parse-json.ts";
import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { openLocalRuntime } from "../../../cli/home.ts";
import { json } from "../../../cli/json.ts";
import { style, styledVerdict } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";
import type { Head } from "../../../store/port/store.ts";
import { readManifest } from "../../pdf/manifest.ts";
import { rangeText } from "../../pdf/range-text.ts";
import { anchorsOf, type PdfVerification, verifyPdf } from "../../pdf/verify-pdf.ts";
import { exportedRecord, exportLines } from "../export.ts";
import { PublicKey } from "../signing-key.ts";
import { storedRecord } from "../stored-record.ts";
import { type Verification, verifyRecord } from "../verify.ts";

export const auditLogCommand: Command = {
  summary: "list the record, newest first",
  positionals: [],
  options: {
    limit: "N  at most this many, 1 to 1000; default 50",
    event: "EVENT  only this event",
    kind: "KIND  only emit, observed, intent, outcome, change or login",
    session: "ID  only this session",
    verdict: "VERDICT  only none, allow, ask, defer or deny",
    since: "TIME  only from this ISO time on",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: [
    "swarm audit log",
    "swarm audit log --verdict deny --since 2026-01-01T00:00:00Z",
    "swarm audit log --json",
  ],
  async run({ options: query, isJson }) {
    // As written: the operation reads and checks them.
    const found = await withClient((client) => client.call("listEvents", { query } as never));
    if (isJson) return json(found);
    if (found.items.length === 0) return "the record has no such rows\n";
    const rows = found.items.map(({ seq, time, kind, event, verdict, outcome, hook, reason, id }) => {
      const said = kind === "emit" && outcome !== "failed" ? styledVerdict(verdict) : outcome;
      return [
        String(seq),
        time,
        kind === "emit" ? event : `${event} (${kind})`,
        said,
        hook ?? "-",
        id,
        oneLine(reason ?? "", 100),
      ];
    });
    const more = found.next_cursor === null ? "" : `${style("dim", `more: --cursor ${found.next_cursor}`)}\n`;
    return table(["SEQ", "TIME", "EVENT", "SAID", "HOOK", "ID", "REASON"], rows) + more;
  },
};

export const auditVerifyCommand: Command = {
  summary: "check the record, an export or a PDF of it: every hash, every link, the signature",
  positionals: ["FILE.pdf"],
  options: {
    file: "FILE  an export; needs neither daemon nor store",
    key: "FILE  the public key it must be signed with, PEM; for an export from elsewhere",
    anchor: "FILE  a head that was kept elsewhere (swarm audit head --json): the record must contain it",
  },
  examples: [
    "swarm audit verify",
    "swarm audit verify --file audit.jsonl --key audit-key.pub",
    "swarm audit verify --anchor head.json --json",
    "swarm audit verify january.pdf",
    "swarm audit verify january.pdf --file audit.jsonl --key audit-key.pub",
  ],
  async run({ positionals: [pdf], options: { file, key, anchor }, isJson }) {
    const anchors = anchor === undefined ? [] : [readAnchor(anchor)];
    if (pdf !== undefined) {
      const found = await checkPdf(pdf, file, key, anchors);
      return { text: isJson ? json(found) : pdfReport(found), exitCode: found.is_intact ? 0 : 1 };
    }
    const result = file === undefined ? await verifyStore(anchors) : await verifyFile(file, key, anchors);
    const exitCode = result.is_intact ? 0 : 1;
    return { text: isJson ? json(result) : report(result), exitCode };
  },
};

export const auditExportCommand: Command = {
  summary: "write the whole record as lines of JSON that can be verified anywhere",
  positionals: [],
  options: { output: "FILE  where to; default stdout" },
  examples: ["swarm audit export --output audit.jsonl", "swarm audit export | gzip > audit.jsonl.gz"],
  async run({ options: { output }, isJson }) {
    const runtime = await openLocalRuntime();
    if (output === undefined)
      return closing(exportLines(runtime.store, runtime.key.publicKey), () => runtime.close());
    try {
      let rows = 0;
      const counted = (async function* () {
        for await (const line of exportLines(runtime.store, runtime.key.publicKey)) {
          rows++;
          yield line;
        }
      })();
      await pipeline(Readable.from(counted), createWriteStream(output, { mode: 0o600, flags: "wx" }));
      const told = { file: output, rows: rows - 2, key_id: runtime.key.publicKey.id };
      return isJson ? json(told) : `wrote ${told.rows} rows to ${output}, signed by key ${told.key_id}\n`;
    } catch (error) {
      throw usage("audit export", `${output} cannot be written: ${(error as Error).message}`);
    } finally {
      await runtime.close();
    }
  },
};

export const auditHeadCommand: Command = {
  summary: "print the signed head of the record: kept elsewhere, it anchors everything before it",
  positionals: [],
  examples: ["swarm audit head --json > head.json", "swarm audit head"],
  async run({ isJson }) {
    const { head, public_key } = await withClient((client) => client.call("signedHead"));
    if (isJson) return json({ ...head, public_key });
    if (head === null) return "the record is empty\n";
    return `row ${head.seq} ${head.hash}\nsigned ${head.time} by key ${head.key_id}\n\n${public_key}`;
  },
};

async function verifyStore(anchors: readonly Head[]): Promise<Verification> {
  const runtime = await openLocalRuntime();
  try {
    return await runtime.verify(anchors);
  } finally {
    await runtime.close();
  }
}

async function verifyFile(
  file: string,
  key: string | undefined,
  anchors: readonly Head[],
): Promise<Verification> {
  const pinned = key === undefined ? null : readKey(key);
  return verifyRecord(await exportedRecord(file, pinned, anchors));
}

/** Against the record of this machine, or against an export; neither needs the daemon. */
async function checkPdf(
  pdf: string,
  file: string | undefined,
  key: string | undefined,
  anchors: readonly Head[],
): Promise<PdfVerification> {
  const manifest = readManifest(pdf);
  const known = [...anchors, ...anchorsOf(manifest)];
  const pinned = key === undefined ? null : readKey(key);
  if (file !== undefined) return verifyPdf(pdf, manifest, await exportedRecord(file, pinned, known));
  const runtime = await openLocalRuntime();
  try {
    const used = pinned ?? runtime.key.publicKey;
    return await verifyPdf(pdf, manifest, await storedRecord(runtime.store, used, known));
  } finally {
    await runtime.close();
  }
}

function pdfReport({ is_intact, pages, rows, range, head_seq, key_id, faults }: PdfVerification): string {
  const covered = `${rangeText(range)}, ${rows} rows up to head ${head_seq}, ${pages} pages`;
  return [
    is_intact
      ? style("green", `intact: ${covered}, signed by key ${key_id}`)
      : style("red", `NOT intact: ${covered}`),
    ...faults.map(({ kind, problem }) => `  ${kind}: ${oneLine(problem)}`),
    "",
  ].join("\n");
}

export function report(result: Verification): string {
  const { is_intact, rows, signed_seq, unsigned_rows, key_id, open_intents, acceptances, faults } = result;
  return [
    is_intact
      ? style("green", `intact: ${rows} rows, signed up to row ${signed_seq} by key ${key_id}`)
      : style("red", `NOT intact: ${rows} rows read`),
    ...faults.map(({ kind, problem }) => `  ${kind}: ${oneLine(problem)}`),
    ...acceptances.map(
      ({ seq, time, actor, reason }) =>
        `accepted on ${time} by ${oneLine(actor, 100)} (row ${seq}): ${oneLine(reason ?? "", 300)}`,
    ),
    ...(unsigned_rows === 0 ? [] : [`${unsigned_rows} rows at the end are not signed yet`]),
    ...open_intents.map(
      (id) =>
        `no outcome was recorded for the intent ${oneLine(id)}: it is under way, or something ended in between`,
    ),
    "",
  ].join("\n");
}

function readAnchor(file: string): Head {
  try {
    const { seq, hash } = parseJson(readFileSync(file, "utf8")) as Head;
    if (Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(hash)) return { seq, hash };
  } catch (error) {
    throw usage("audit verify", `--anchor ${file} cannot be read: ${(error as Error).message}`);
  }
  throw usage("audit verify", `--anchor ${file} is no head, expected what swarm audit head --json printed`);
}

function readKey(file: string): PublicKey {
  try {
    return new PublicKey(readFileSync(file, "utf8"));
  } catch (error) {
    throw usage("audit verify", `--key ${file} cannot be read: ${(error as Error).message}`);
  }
}

async function* closing(lines: AsyncIterable<string>, close: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* lines;
  } finally {
    await close();
  }
}
