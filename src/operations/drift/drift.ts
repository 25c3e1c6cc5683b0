import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { BaselineStore } from "./port/baseline-store.ts";
import { checkConfig } from "../../engine/events/check-fields.ts";
import { Baselines } from "./baselines.ts";
import { Checks } from "./checks.ts";
import { type Plan, planCheck, type ToCompare } from "./plan.ts";
import type { DriftResult } from "./result.ts";
import type { RunBook, RunData } from "./runs.ts";
import { driftFields, driftProblem, driftSettings } from "./settings.ts";
import { inThread } from "./thread.ts";

export interface DriftOptions {
  readonly home: string;
  readonly store: BaselineStore;
  /** Runs as they are now: one whose process is gone is not under way any more. */
  readonly book: () => Promise<RunBook>;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** Who asks for a check, and for what. */
export interface CheckCall {
  /** The run's, where it is one's. */
  readonly check_id?: string;
  readonly name: string;
  /** Where paths begin, and whose hooks hear of an alert. */
  readonly cwd: string;
  readonly actor: string;
  readonly signal: AbortSignal;
}

export interface Checked {
  readonly result: DriftResult;
  readonly result_path: string;
  readonly report_path: string;
}

/** Of an alert's; all of them are in the result. */
const toldFindings = 50;

/** Compares data with a baseline: keeps the result and a report, records the check, and raises an alert over a threshold. */
export class Drift {
  readonly baselines: Baselines;
  readonly checks: Checks;
  readonly #options: DriftOptions;
  readonly #ended = new AbortController();

  constructor(options: DriftOptions) {
    this.#options = options;
    this.baselines = new Baselines(options);
    this.checks = new Checks(join(options.home, "drift"));
  }

  /** Aborted when checks nobody scheduled are to let go. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  abort(): void {
    this.#ended.abort();
  }

  /** What a check would compare, without reading any data. */
  async plan(config: JsonObject, cwd: string): Promise<Plan> {
    return (await this.#toCompare(config, cwd)).plan;
  }

  async check(
    config: JsonObject,
    { check_id = newId("dr"), name, cwd, actor, signal }: CheckCall,
  ): Promise<Checked> {
    const { settings, orders, windowRuns } = await this.#toCompare(config, cwd);
    const time = new Date(this.#options.clock.now()).toISOString();
    const about = { check_id, name, time, cwd };
    const { result, page } = await inThread({ kind: "check", about, settings, ...orders }, signal);
    const folder = this.checks.folderOf(check_id);
    const [result_path, report_path] = [join(folder, "result.json"), join(folder, "report.html")];
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(report_path, page, { mode: 0o600 });
    // Last: a check is there once its result is.
    writeFileSync(result_path, `${JSON.stringify(result, null, 1)}\n`, { mode: 0o600, flush: true });
    await this.#record(result, actor, windowRuns);
    if (result.is_drift) await this.#alert(result, report_path, settings.about);
    return { result, result_path, report_path };
  }

  async #toCompare(config: JsonObject, cwd: string): Promise<ToCompare> {
    checkConfig("drift check", { fields: driftFields, check: driftProblem }, config);
    const { home, store, book, clock } = this.#options;
    const settings = driftSettings(config);
    const kept = await store.find(settings.baseline);
    return planCheck(settings, { home, book, cwd, nowMs: clock.now(), kept });
  }

  /** The runs whose data were looked at show from then on what came of it. */
  async #record(result: DriftResult, actor: string, runs: readonly RunData[]): Promise<void> {
    const { check_id, name, time, message, is_drift, baseline, window, findings, cwd } = result;
    const after = JSON.stringify({
      check_id,
      name,
      baseline,
      window,
      findings: findings.slice(0, toldFindings),
    });
    const marks = runs.map(({ kind, run_id }) => {
      return { kind, run_id, check_id, checked_at: time, is_drift, message };
    });
    const row = { kind: "change", event: "drift.checked", actor, source: "drift", task: check_id } as const;
    await this.#options.audit.record(
      { ...row, cwd, reason: message, after },
      ...(marks.length === 0 ? [] : [{ kind: "runs_checked", marks } as const]),
    );
  }

  async #alert(result: DriftResult, report_path: string, about: object): Promise<void> {
    const { check_id, name, message, findings, baseline, window, cwd } = result;
    const [first] = findings;
    const data = {
      name,
      level: "warning",
      message,
      ...(typeof first?.value === "number" && { value: first.value }),
      ...(typeof first?.threshold === "number" && { threshold: first.threshold }),
      details: {
        check_id,
        ...about,
        baseline: baseline.source,
        window: window.source,
        findings: findings.slice(0, toldFindings),
        finding_count: findings.length,
        report_path,
      },
    };
    const { emit } = this.#options;
    await emit({ event: "alert.raised", data, origin: { source: "drift", task: check_id, cwd } });
  }
}
