import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { SigningKey } from "../audit/signing-key.ts";
import type { LongReads } from "../audit/thread/long-reads.ts";
import { KeptPdfs } from "./kept-pdfs.ts";
import { type Manifest, manifestName, manifestText, signedManifest } from "./manifest.ts";
import { type PdfRange, readRange } from "./range.ts";
import { rangeName, rangeText } from "./range-text.ts";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { version } from "../../base/version.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { Audit } from "../port/audit.ts";
import { genesisHash, type RecordedChange } from "../port/run-event.ts";
import type { SignedHead, Store } from "../../store/port/store.ts";
import type { PdfResult, PdfWork } from "./audit-pdf-worker.ts";
import { checkPdfPackage } from "./pdf-library.ts";

export interface AuditPdfServiceOptions {
  readonly home: string;
  readonly store: Store;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly key: SigningKey;
  /** What else reads the record from end to end: one of all these at a time. */
  readonly reads: Pick<LongReads, "inTurn">;
}

export interface PdfOrder {
  readonly range: PdfRange;
  /** The file; null: one in `$SWARM_HOME/reports` that is named for its range. */
  readonly file: string | null;
  readonly actor: string;
  /** The run of a job it is made by. */
  readonly task?: string;
  readonly signal?: AbortSignal;
}

export interface NamedOrder extends Omit<PdfOrder, "file"> {
  readonly folder: string | null;
  readonly name: string;
}

export interface MadePdf {
  /** By which it is found again; null where it was not put in `$SWARM_HOME/reports`. */
  readonly id: string | null;
  readonly file: string;
  readonly manifest_file: string;
  readonly manifest: Manifest;
  /** Why the record it was made from is not intact; null when it is. */
  readonly problem: string | null;
}

/** What would be made, before anything is. */
export interface PdfPreview {
  readonly file: string;
  readonly range: PdfRange;
  readonly rows: number;
  readonly denials: number;
}

const event: RecordedChange = "audit.pdf";
/** Measured: the process grows by 190 MiB for 100,000 rows. More is a mistake that must not take the daemon with it. */
const maxHeapMiB = 1_024;

/** Makes PDFs of the record: announced, written by a thread of their own, signed, put in place and recorded. */
export class AuditPdfService {
  /** Those in `$SWARM_HOME/reports`. */
  readonly kept: KeptPdfs;
  readonly #options: AuditPdfServiceOptions;
  readonly #reports: string;

  constructor(options: AuditPdfServiceOptions) {
    this.#options = options;
    this.#reports = join(options.home, "reports");
    this.kept = new KeptPdfs(this.#reports);
  }

  /** A range that has been checked, as of now. */
  rangeOf(given: JsonObject): PdfRange {
    return readRange(given, this.#options.clock.now());
  }

  async preview({
    range,
    file: given,
    signal,
  }: Pick<PdfOrder, "range" | "file" | "signal">): Promise<PdfPreview> {
    checkPdfPackage();
    const file = given ?? this.#defaultFile(range);
    checkPlace(file, given !== null);
    const { store, key, clock } = this.#options;
    // Up to the newest row, signed or not: it is only counted, and the signature goes nowhere.
    const head = key.sign(await store.head(), new Date(clock.now()).toISOString());
    const { rows, denials } = await this.#work(range, null, signal, head);
    return { file, range, rows, denials };
  }

  async make({ range, file: given, actor, task, signal }: PdfOrder): Promise<MadePdf> {
    const { audit, clock } = this.#options;
    checkPdfPackage();
    const file = given ?? this.#defaultFile(range);
    if (given === null) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    checkPlace(file, true);
    const startedAtMs = clock.monotonicMs();
    const reason = `${rangeText(range)} to ${file}`;
    // Durable and signed when it resolves: the head that follows covers everything up to here.
    const report = await audit.intent({ event, actor, reason, task: task ?? null });
    const ms = () => clock.monotonicMs() - startedAtMs;
    try {
      const { manifest, problem } = await this.#put(range, file, signal);
      const done = `${manifest.pages} pages, SHA-256 ${manifest.sha256}, ${file}`;
      await report({ outcome: "completed", reason: done, ms: ms(), after: JSON.stringify(manifest) });
      return { id: this.kept.idOf(file), file, manifest_file: manifestName(file), manifest, problem };
    } catch (error) {
      await report({ outcome: "failed", reason: (error as Error).message, ms: ms() });
      throw error;
    }
  }

  /** What the kind of task needs. */
  forTasks() {
    const { clock } = this.#options;
    return {
      makePdf: (order: NamedOrder) => this.makeNamed(order),
      previewPdf: (range: PdfRange) => this.preview({ range, file: null }),
      reports: this.#reports,
      now: () => clock.now(),
    };
  }

  /** In a folder, which is made; the name of its range and another one make that of the file. */
  async makeNamed(order: NamedOrder): Promise<MadePdf> {
    const { folder, name, ...rest } = order;
    const into = folder ?? this.#reports;
    try {
      mkdirSync(into, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw unwritable(into, (error as Error).message);
    }
    return this.make({ ...rest, file: join(into, `audit-${rangeName(order.range)}-${name}.pdf`) });
  }

  /** Writes both files beside their places and links them there: each appears whole, and nothing is replaced. */
  async #put(range: PdfRange, file: string, signal: AbortSignal | undefined) {
    const temporary = `${file}.${newId("new")}`;
    const manifestFile = manifestName(file);
    const temporaryManifest = `${temporary}.json`;
    try {
      const head = await this.#head();
      const { problem, denials: _, ...result } = await this.#work(range, temporary, signal, head);
      if (range.run_id !== null && result.rows === 0)
        throw new SwarmError("SWARM_PDF_RUN_UNKNOWN", { run_id: range.run_id, kind: range.kind });
      const told = { file: basename(file), version: version(), range, head, ...result };
      const manifest = signedManifest(told, this.#options.key);
      writeFileSync(temporaryManifest, manifestText(manifest), { mode: 0o600, flag: "wx", flush: true });
      place(temporary, file);
      try {
        place(temporaryManifest, manifestFile);
      } catch (error) {
        rmSync(file, { force: true }); // ours: a PDF without its manifest proves nothing
        throw error;
      }
      return { manifest, problem };
    } catch (error) {
      throw error instanceof SwarmError ? error : unwritable(file, (error as Error).message);
    } finally {
      for (const each of [temporary, temporaryManifest]) rmSync(each, { force: true });
    }
  }

  async #head(): Promise<SignedHead> {
    const { store, key, clock } = this.#options;
    const signed = await store.signedHead();
    return signed ?? key.sign({ seq: 0, hash: genesisHash }, new Date(clock.now()).toISOString());
  }

  #work(
    range: PdfRange,
    file: string | null,
    signal: AbortSignal | undefined,
    head: SignedHead,
  ): Promise<PdfResult> {
    const { store, key, reads } = this.#options;
    const work = { url: store.url, publicKey: key.publicKey.pem, head, range, file };
    return reads.inTurn(signal ?? null, (ending) => runWorker(work, ending));
  }

  #defaultFile(range: PdfRange): string {
    const name = `audit-${rangeName(range)}`;
    for (let count = 1; ; count++) {
      const file = join(this.#reports, `${name}${count === 1 ? "" : `-${count}`}.pdf`);
      if (!existsSync(file) && !existsSync(manifestName(file))) return file;
    }
  }
}

async function runWorker(workerData: PdfWork, signal: AbortSignal): Promise<PdfResult> {
  if (signal.aborted) throw failed("it was ended");
  // The same file in sources and in what is built from them.
  const program = new URL(`./audit-pdf-worker${extname(import.meta.filename)}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMiB };
  const worker = new Worker(program, { workerData, resourceLimits });
  const end = (): void => void worker.terminate();
  signal.addEventListener("abort", end);
  try {
    return await new Promise<PdfResult>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", (error: Error & { syscall?: string }) => {
        const isFile = error.syscall !== undefined && workerData.file !== null;
        reject(isFile ? unwritable(workerData.file ?? "", error.message) : failed(error.message));
      });
      worker.once("exit", () => reject(failed("it was ended")));
    });
  } finally {
    signal.removeEventListener("abort", end);
    await worker.terminate();
  }
}

/** Where the file system has no links, whoever comes second at the same moment wins. */
const withoutLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

function place(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (!withoutLinks.includes((error as NodeJS.ErrnoException).code ?? "") || existsSync(file)) throw error;
    renameSync(temporary, file);
  }
}

function checkPlace(file: string, hasFolder: boolean): void {
  for (const each of [file, manifestName(file)]) if (existsSync(each)) throw unwritable(each, "it exists");
  if (hasFolder && !statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw unwritable(file, `${dirname(file)} is no folder`);
}

function unwritable(file: string, problem: string): SwarmError {
  return new SwarmError("SWARM_PDF_UNWRITABLE", { file, problem });
}

function failed(problem: string): SwarmError {
  return new SwarmError("SWARM_PDF_FAILED", { problem });
}
