import { existsSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { idPattern } from "../../base/ids.ts";
import { replaceFile } from "../../base/replace-file.ts";
import { show } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Baseline, BaselineStore } from "./port/baseline-store.ts";
import { sourceOf } from "./plan.ts";
import type { RunBook } from "./runs.ts";
import { readKept, summaryFile } from "./summary/kept.ts";
import { inThread } from "./thread.ts";

export interface BaselinesOptions {
  readonly home: string;
  readonly store: BaselineStore;
  readonly book: () => Promise<RunBook>;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** What is to be kept as a baseline. */
export interface NewBaseline {
  readonly name: string;
  /** A path or a run's id. */
  readonly source: string;
  readonly output?: string | undefined;
  readonly features?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly categorical?: readonly string[] | undefined;
}

export interface ShownBaseline extends Baseline {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly schema: readonly {
    readonly feature: string;
    readonly type: string | null;
    readonly present: number;
    readonly categories: number | null;
  }[];
}

/** Data others are compared with, read once: what is known of them is kept in a file named by its digest. */
export class Baselines {
  readonly #options: BaselinesOptions;

  constructor(options: BaselinesOptions) {
    this.#options = options;
  }

  async set(given: NewBaseline, cwd: string, actor: string, signal: AbortSignal): Promise<Baseline> {
    const { home, audit, clock, store } = this.#options;
    const { name, source, output = null, features = [], ignore = [], categorical = [] } = given;
    if (!idPattern.test(name)) {
      const expected = "letters, digits, _ and -, at most 64";
      throw invalidOption("baseline", "name", expected, name);
    }
    const data = await sourceOf(source, output, this.#options.book, cwd);
    const options = { features, ignore, categorical };
    const {
      side,
      features: count,
      bytes,
      digest,
    } = await inThread({ kind: "summarise", data, options }, signal);
    keep(summaryFile(home, digest), bytes);
    const before = await store.find(name);
    const set_at = new Date(clock.now()).toISOString();
    const row: Baseline = {
      name,
      source: data.runs[0]?.run_id ?? data.source,
      rows: side.rows,
      features: count,
      data_digest: side.files[0]?.sha256 ?? "",
      summary_digest: digest,
      set_at,
      set_by: actor,
    };
    const entry = { kind: "change", event: "baseline.set", actor, source: "drift", cwd } as const;
    const reason = `${show(name)}: ${side.rows} records of ${show(row.source)}`;
    const texts = { before: before === null ? null : JSON.stringify(before), after: JSON.stringify(row) };
    await audit.record({ ...entry, reason, ...texts }, { kind: "baseline_set", row });
    return row;
  }

  list(): Promise<Baseline[]> {
    return this.#options.store.list();
  }

  /** With what is known of its fields. */
  async show(name: string): Promise<ShownBaseline> {
    const { store, home } = this.#options;
    const found = await store.find(name);
    if (found === null) {
      const names = (await store.list()).map((baseline) => baseline.name);
      throw new SwarmError("SWARM_BASELINE_UNKNOWN", { name, suggestion: suggest(name, names) });
    }
    const { side, dataset } = await readKept(summaryFile(home, found.summary_digest), found.summary_digest);
    const schema = dataset.features.map(({ name: feature, types, categories }) => {
      const [most, count] = Object.entries(types).reduce((a, b) => (b[1] > a[1] ? b : a));
      const present = Object.values(types).reduce((sum, each) => sum + each, 0);
      return { feature, type: count === 0 ? null : most, present, categories: categories?.length ?? null };
    });
    return { ...found, files: side.files, schema };
  }
}

/** Whole or not at all: its name says what is in it. */
function keep(file: string, bytes: Uint8Array): void {
  if (existsSync(file)) return;
  replaceFile(file, bytes, { isFlushed: true });
}
