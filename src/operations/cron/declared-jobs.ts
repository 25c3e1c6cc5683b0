import { dirname, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { fileStamp } from "../../base/file-stamp.ts";
import type { Log } from "../../base/log.ts";
import { loadConfig, loadUserConfig } from "../../config/load.ts";
import type { Declaration, DeclarationProblem, Declarations } from "./declared.ts";
import { inertReason } from "../../policy/trust/judge.ts";
import type { TrustService } from "../../policy/trust/service.ts";

export interface DeclaredJobsOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly trust: Pick<TrustService, "filesWithJobs" | "judgeJobs">;
}

export type FileSettings = Declarations & { readonly sandbox: "off" | "strict" };

/**
 * What files say of scheduled work: the user's own, and of projects the jobs that were approved, as they were. Read anew
 * when a file has changed; a look is one call of the system for each file. A broken edit stops no job.
 */
export class DeclaredJobs {
  readonly #options: DeclaredJobsOptions;
  #settings: FileSettings = { declarations: [], sandbox: "off" };
  #stamp: string | null = null;
  /** Whether a file that was approved with a job is another one by now. */
  #isOutdated: readonly (() => boolean)[] = [];

  constructor(options: DeclaredJobsOptions) {
    this.#options = options;
  }

  /** The same object as long as they say the same. */
  settings(): FileSettings {
    const { home, trust } = this.#options;
    const files = trust.filesWithJobs();
    const stamp = [join(home, "config.yaml"), ...files]
      .map((file) => `${file} ${fileStamp(file)}`)
      .join("\n");
    if (stamp !== this.#stamp || this.#isOutdated.some((isOutdated) => isOutdated())) {
      this.#stamp = stamp;
      this.#settings = this.#read(files);
    }
    return this.#settings;
  }

  /** Has the next look take all files anew: what was decided about projects has changed. */
  forget(): void {
    this.#stamp = null;
  }

  #read(files: readonly string[]): FileSettings {
    const user = this.#user();
    const projects = files.map((file) => this.#project(file));
    this.#isOutdated = projects.flatMap(({ isOutdated = [] }) => isOutdated);
    return {
      ...user,
      declarations: [user, ...projects].flatMap(({ declarations }) => declarations),
      unreadFiles: [user, ...projects].flatMap(({ unreadFiles = [] }) => unreadFiles),
      refused: [user, ...projects].flatMap(({ refused = [] }) => refused),
    };
  }

  #user(): FileSettings {
    const { home, env } = this.#options;
    try {
      const { cron: declarations, sandbox } = loadUserConfig({ home, env });
      return { declarations, sandbox };
    } catch (error) {
      const { sandbox } = this.#settings;
      return { sandbox, ...this.#unread(join(home, "config.yaml"), error) };
    }
  }

  #project(file: string): Found {
    const { home, env, trust } = this.#options;
    try {
      const { cron, ...config } = loadConfig({ home, cwd: dirname(file), env });
      const own = cron.filter(({ source }) => source.file === file);
      const { jobs, isOutdated } = trust.judgeJobs({ ...config, cron: own });
      return {
        declarations: jobs.flatMap(({ runnable }) => (runnable === null ? [] : inFolder(runnable))),
        refused: jobs.flatMap(({ job, state, runnable }) =>
          runnable === null ? [{ name: job.settings.name, problem: `${file}: ${inertReason(state)}` }] : [],
        ),
        isOutdated,
      };
    } catch (error) {
      return this.#unread(file, error);
    }
  }

  #unread(file: string, error: unknown): Found {
    if (!(error instanceof SwarmError)) throw error;
    this.#options.log.warn(error.message, { code: error.code });
    return { declarations: [], unreadFiles: [file], refused: [{ name: file, problem: error.message }] };
  }
}

interface Found {
  readonly declarations: readonly Declaration[];
  readonly unreadFiles?: readonly string[];
  readonly refused?: readonly DeclarationProblem[];
  readonly isOutdated?: () => boolean;
}

/** A project's job runs in the project's folder. */
function inFolder({ source, settings }: Declaration): Declaration {
  return { source, settings: { ...settings, cwd: dirname(source.file) } };
}
