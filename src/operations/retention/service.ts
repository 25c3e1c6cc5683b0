import type { Clock } from "../../base/clock.ts";
import type { KeptDays } from "../../config/hook-config.ts";
import { loadUserConfig } from "../../config/load.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Store } from "../../store/port/store.ts";
import type { ForgottenCounts } from "./forget-runs.ts";

export interface RetentionOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly store: Store;
  readonly audit: Audit;
}

/** How long runs and checks are kept; what forgets them is loaded when it is first asked for. */
export class Retention {
  readonly #options: RetentionOptions;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Forgets what is older than this, by default as the user's file has it; tells how many of each kind. */
  async forget(days: Partial<KeptDays> = {}): Promise<ForgottenCounts> {
    const { forgetRuns } = await import("./forget-runs.ts");
    return forgetRuns(this.#told(days));
  }

  /** What would be forgotten, a line for each kind. */
  async due(days: Partial<KeptDays>): Promise<string[]> {
    const { dueLines } = await import("./forget-runs.ts");
    return dueLines(this.#told(days));
  }

  #told(days: Partial<KeptDays>) {
    const kept = { ...loadUserConfig(this.#options).retention, ...days };
    return { ...this.#options, nowMs: this.#options.clock.now(), days: kept };
  }
}
