import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { january } from "../../src/record/pdf/harness.cases.ts";
import { writePdf } from "../../src/record/pdf/write-pdf.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { type Amounts, inTurn } from "../measure.ts";
import type { Contestant } from "./contestant.ts";

const fill = fileURLToPath(new URL("audit-pdf-record.ts", import.meta.url));
/** One takes seconds, and differs by a few percent from run to run. */
const maxRounds = 3;

export const pdfSizes = [100_000, 10_000] as const;

export function pdfName(rows: number): string {
  return `a PDF of ${rows.toLocaleString("en")} rows`;
}

/** One document of a record another process has filled: denials, runs and failures are listed one by one, a sixth of the rows. */
export function auditPdf(rows: number): Contestant & { prepare(): void } {
  let record: ReturnType<typeof open> | null = null;
  return {
    name: pdfName(rows),
    isSync: false,
    prepare() {
      record ??= open(rows);
    },
    async run(call) {
      record ??= open(rows);
      const { store, key, folder } = record;
      const head = key.sign(await store.head(), january.to ?? "");
      const file = join(folder, "report.pdf");
      const { verification } = await writePdf({ store, key: key.publicKey, head, range: january, file });
      rmSync(file);
      if (!verification.is_intact) throw new Error("the record is not intact");
      return call;
    },
    read: () => null,
  };
}

/** The seconds one takes, as nanoseconds. */
export async function measurePdfs(rounds: number): Promise<Amounts> {
  const contestants = pdfSizes.map(auditPdf);
  const amounts = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (const contestant of contestants) contestant.prepare();
  for (let round = 0; round < Math.min(rounds, maxRounds); round++) {
    for (const contestant of inTurn(contestants, round)) {
      const startedAtMs = performance.now();
      await contestant.run(undefined as never);
      amounts.get(contestant.name)?.push((performance.now() - startedAtMs) * 1e6);
    }
  }
  return amounts;
}

function open(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), "swarm-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "swarm.db");
  const { status, stderr } = spawnSync(process.execPath, [fill, file, String(rows)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return { store: openSqliteStore(file), key: new SigningKey(join(folder, "audit-key.pem")), folder };
}
