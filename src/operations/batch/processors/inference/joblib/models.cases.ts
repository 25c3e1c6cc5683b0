import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../../../engine/events/schema.ts";
import type { TrustedCopy } from "../../../port/processor.ts";
import { pythonVariable } from "../find-python.ts";

const look =
  'import sys, importlib.util as u; sys.exit(not (u.find_spec("sklearn") and u.find_spec("joblib")))';

/** A Python that has scikit-learn; null where there is none. Debian's packages are for /usr/bin/python3 alone. */
export const python: string | null =
  [process.env[pythonVariable] ?? "python3", "/usr/bin/python3"].find(
    (one) => spawnSync(one, ["-c", look]).status === 0,
  ) ?? null;

export const withoutSklearn: string | false =
  python === null ? "needs scikit-learn: python3-sklearn, or pip install scikit-learn" : false;

export interface Models {
  readonly folder: string;
  readonly expected: {
    readonly rows: number[][];
    readonly forest: { readonly predict: number[]; readonly proba: number[][] };
  };
  remove(): void;
}

/** Real models, fitted here and now: two seconds. */
export function makeModels(): Models {
  const folder = mkdtempSync(join(tmpdir(), "swarm-models-"));
  const script = join(import.meta.dirname, "make_models.py");
  const { status, stderr } = spawnSync(python ?? "", [script, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return {
    folder,
    expected: JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** As if somebody had approved them. */
export function trusting(folder: string, ...names: readonly string[]): Record<string, TrustedCopy> {
  return Object.fromEntries(
    names.map((name) => {
      const copy = join(folder, name);
      const sha256 = createHash("sha256").update(readFileSync(copy)).digest("hex");
      return [name, { sha256, copy }];
    }),
  );
}

/** A configuration with the Python that was found. */
export function joblibConfig(name: string, more: JsonObject = {}): JsonObject {
  return { model_path: name, ...(python !== null && { python }), ...more };
}
