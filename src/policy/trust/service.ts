import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { readOrMake } from "../../base/private-file.ts";
import type { Config } from "../../config/hook-config.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { FileTrustStore } from "./port/file-trust-store.ts";
import type { Pipeline } from "../../operations/pipelines/port/pipeline.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { TrustChange, TrustDecisions, TrustedHook } from "./port/trust-store.ts";
import { TrustBook } from "./book.ts";
import { fingerprintWith } from "./definition.ts";
import {
  type DescribedProject,
  describeProject,
  storedDefinition,
  undecidedFolderAbove,
} from "./describe.ts";
import type { ExaminedHook } from "./examine.ts";
import { isJobId } from "./job-hook.ts";
import {
  type Judge,
  type JudgedPipeline,
  type Judgement,
  judgeJobs,
  judgePipeline,
  judgeProject,
} from "./judge.ts";
import { keep, prune, trustFolder } from "./snapshot.ts";
import { FileTrust } from "./file-trust.ts";

export interface TrustServiceOptions {
  readonly home: string;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly decisions: TrustDecisions;
  readonly store: { readonly fileTrust: FileTrustStore };
  readonly isEnabled: (hookId: string) => boolean;
  /** Called when something was decided: what is in force is no longer what should be. */
  readonly onDecided: () => Promise<void>;
}

/** A folder with the configuration that is in force there. */
export interface LoadedProject {
  readonly config: Config;
  readonly cwd: string;
}

/** A project something was decided about. */
export interface DecidedProject {
  readonly file: string;
  readonly state: "approved" | "ignored";
  readonly hooks: readonly Pick<TrustedHook, "hook_id" | "name" | "digest">[];
  readonly time: string;
  readonly actor: string;
}

/** Where it is decided which projects' hooks may run, and looked up. Every decision is a row of the record. */
export class TrustService {
  /** Files that run code when they are loaded. */
  readonly files: FileTrust;
  readonly #options: TrustServiceOptions;
  readonly #book: TrustBook;
  readonly #judge: Judge;

  constructor(options: TrustServiceOptions) {
    const { home, decisions, isEnabled } = options;
    this.#options = options;
    this.files = new FileTrust({ ...options, store: options.store.fileTrust });
    this.#book = new TrustBook(decisions);
    // Made when the first secret of a project is looked at; most have none.
    const key = (): string =>
      readOrMake(join(trustFolder(home), "key"), () => randomBytes(32).toString("hex"));
    this.#judge = { home, book: this.#book, fingerprint: fingerprintWith(key), isEnabled };
  }

  judge(config: Config, cwd: string): Judgement {
    return judgeProject(config, cwd, this.#judge);
  }

  /** See `ApprovedGuards`. */
  approvedGuards(file: string): ReadonlySet<string> {
    return new Set(this.#book.guardsIn(file).map(({ hook_id }) => hook_id));
  }

  judgeJobs(config: Config): ReturnType<typeof judgeJobs> {
    return judgeJobs(config, this.#judge);
  }

  judgePipeline(pipeline: Pipeline, config: Config): JudgedPipeline {
    return judgePipeline(pipeline, config, this.#judge);
  }

  /** Files of projects with jobs that were approved, whatever they hold by now. */
  filesWithJobs(): string[] {
    const hasJobs = (file: string) => this.#book.approvedIn(file).some(({ hook_id }) => isJobId(hook_id));
    return this.#book.files().filter(hasJobs);
  }

  list(): DecidedProject[] {
    return this.#book.files().map((file) => {
      const ignored = this.#book.ignoranceOf(file);
      if (ignored !== undefined) return { ...ignored, state: "ignored", hooks: [] };
      const approved = this.#book.approvedIn(file);
      const last = approved.toSorted((a, b) => b.time.localeCompare(a.time))[0];
      const hooks = approved.map(({ hook_id, name, digest }) => ({ hook_id, name, digest }));
      return { file, state: "approved", hooks, time: last?.time ?? "", actor: last?.actor ?? "" };
    });
  }

  /**
   * The folder to decide in, when that is not this one: nothing is to be decided about the nearest file, and guards of a file
   * above it deny every tool here.
   */
  folderAbove({ config, cwd }: LoadedProject): string | null {
    const above = undecidedFolderAbove(config.files, cwd, this.judge(config, cwd).hooks, this.#judge);
    if (above === null) return null;
    try {
      const { state, removed } = this.show({ config, cwd });
      return state === "untrusted" || state === "changed" || removed.length > 0 ? null : above;
    } catch (error) {
      if (error instanceof SwarmError && error.code === "SWARM_TRUST_NOTHING") return above;
      throw error;
    }
  }

  show({ config, cwd }: LoadedProject): DescribedProject {
    return describeProject(config, cwd, this.#judge).described;
  }

  /**
   * Approves what was shown under this digest: if it is not what is there now, nothing is. What is kept, and run from
   * then on, are the bytes that were looked at for it.
   */
  async approve(project: LoadedProject, digest: string, actor: string): Promise<DescribedProject> {
    const { home, clock } = this.#options;
    const { described, examined } = describeProject(project.config, project.cwd, this.#judge);
    const { file } = described;
    if (described.digest !== digest)
      throw new SwarmError("SWARM_TRUST_STALE", { file, given: digest, digest: described.digest });
    for (const hook of examined) keep(home, hook);
    const time = new Date(clock.now()).toISOString();
    const rows = examined.map((hook) => this.#rowOf(hook, file, time, actor));
    await this.#decide("trust.approved", described, { kind: "trust_approved", file, hooks: rows }, actor);
    prune(home, this.#book.digests(), clock.now());
    return this.#decided(project, described);
  }

  /** Leaves the project's hooks out, those of today and of tomorrow, and does not ask again. */
  async ignore(project: LoadedProject, actor: string): Promise<DescribedProject> {
    const described = this.show(project);
    const row = { file: described.file, time: new Date(this.#options.clock.now()).toISOString(), actor };
    await this.#decide("trust.ignored", described, { kind: "trust_ignored", row }, actor);
    return this.#decided(project, described);
  }

  /** As if nothing had ever been decided. */
  async revoke(project: LoadedProject, actor: string): Promise<DescribedProject> {
    const described = this.show(project);
    await this.#decide("trust.revoked", described, { kind: "trust_revoked", file: described.file }, actor);
    return this.#decided(project, described);
  }

  /** The project after a decision. Of one without hooks nothing is left to show once its removal is accepted. */
  #decided(project: LoadedProject, before: DescribedProject): DescribedProject {
    if (before.hooks.length > 0) return this.show(project);
    return { ...before, state: "trusted", removed: [] };
  }

  /** One that is approved as it is keeps the name of whoever looked at it. */
  #rowOf(
    { hook, digest, definition, files }: ExaminedHook,
    file: string,
    time: string,
    actor: string,
  ): TrustedHook {
    const known = this.#book.approvalOf(file, hook.id);
    if (known?.digest === digest) return known;
    return {
      file,
      hook_id: hook.id,
      name: hook.name,
      is_guard: hook.onFailure === "deny",
      digest,
      definition: storedDefinition(definition),
      files: files.map(({ place, sha256 }) => ({ place, sha256 })),
      time,
      actor,
    };
  }

  async #decide(
    event: RecordedChange,
    { file, folder, digest, hooks, removed }: DescribedProject,
    change: TrustChange,
    actor: string,
  ): Promise<void> {
    const told = hooks.map(({ id, name, digest: own, state }) => ({ id, name, digest: own, was: state }));
    await this.#options.audit.record(
      {
        kind: "change",
        event,
        actor,
        cwd: folder,
        hook_digest: digest,
        reason: `${file}: ${[...hooks, ...removed].map(({ name }) => name).join(", ")}`,
        before: JSON.stringify({ file, digest, hooks: told, removed }),
      },
      change,
    );
    this.#book.apply(change);
    await this.#options.onDecided();
  }
}
