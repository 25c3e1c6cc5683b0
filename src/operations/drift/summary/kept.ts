import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { SwarmError } from "../../../base/errors.ts";
import type { SideData } from "../result.ts";
import type { DatasetOptions, DatasetState } from "./dataset.ts";
import type { Summary } from "./summarise.ts";

/** A summary as it is kept, so that data need not be read again. */
export interface KeptSummary {
  readonly version: 1;
  readonly side: SideData;
  readonly options: Pick<DatasetOptions, "features" | "ignore" | "categorical">;
  readonly dataset: DatasetState;
}

/** 256 features of half a mebibyte are less than this. */
const maxKeptBytes = 512 * 1024 * 1024;

/** Named by what is in it. */
export function summaryFile(home: string, digest: string): string {
  return join(home, "baselines", `${digest}.json.gz`);
}

export function keptBytes(
  { side, dataset }: Summary,
  { features, ignore, categorical }: KeptSummary["options"],
): Buffer {
  const kept: KeptSummary = {
    version: 1,
    side,
    options: { features, ignore, categorical },
    dataset: dataset.state(),
  };
  return gzipSync(JSON.stringify(kept));
}

/** The summary in a file of this digest; one that was changed since is refused. */
export async function readKept(path: string, digest: string): Promise<KeptSummary> {
  const invalid = (problem: string) => new SwarmError("SWARM_DRIFT_DATA_INVALID", { file: path, problem });
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw invalid((error as Error).message);
  }
  if (createHash("sha256").update(bytes).digest("hex") !== digest)
    throw invalid("it is not what was kept: its digest is another; set the baseline again");
  return JSON.parse(gunzipSync(bytes, { maxOutputLength: maxKeptBytes }).toString()) as KeptSummary;
}
