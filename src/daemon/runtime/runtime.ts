import { join } from "node:path";
import { emitEntry, failedEntry, observedEntry } from "../../record/audit/entry.ts";
import { SigningKey } from "../../record/audit/signing-key.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { maskMessages } from "../../base/mask-messages.ts";
import type { FlagValues } from "../../config/flags.ts";
import type { ServerConfig } from "../../config/hook-config.ts";
import { existingFolder, loadUserConfig } from "../../config/load.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { type AnyEventName, canonicalName, type EventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import { validatePayload } from "../../engine/events/validate.ts";
import { ServerPool } from "../../handlers/mcp-tool/server-pool.ts";
import type { EngineListener } from "../../engine/hooks/engine.ts";
import { Outbound } from "../../net/outbound.ts";
import { Plugins } from "../../policy/plugins/plugins.ts";
import type { NewEntry } from "../../record/port/audit.ts";
import type { Store, StoreChange } from "../../store/port/store.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { Traces } from "../telemetry/traces.ts";
import { actorOf } from "./actor-of.ts";
import { ApprovalService } from "../../policy/approvals/service.ts";
import { Approvers } from "../../policy/approvers/approvers.ts";
import { Calls } from "./calls.ts";
import { type Decided, readDecided } from "./decided.ts";
import { expirePayloads } from "../../record/audit/expire-payloads.ts";
import { Flags } from "../flags/flags.ts";
import { HookSwitches } from "./hook-switches.ts";
import { logOutcome } from "./log-outcome.ts";
import { type OpenRecord, openRecord } from "../../record/audit/open-record.ts";
import type { Adapt, RuntimeOptions } from "./options.ts";
import { type ConfigChange, type HookOf, type InForce, Project } from "./project.ts";
import { TrustService } from "../../policy/trust/service.ts";
import { Unawaited } from "./unawaited.ts";
import { Webhooks, type WebhooksOptions } from "../../operations/webhooks/service.ts";
import { Work } from "./work.ts";

/** Kept open; the one that was asked for longest ago goes first. */
const maxProjects = 256;

/** The composition root: every project's hooks, one store, one record. */
export class Runtime {
  readonly home: string;
  readonly store: Store;
  readonly audit: OpenRecord["audit"];
  readonly key: SigningKey;
  readonly flags: Flags;
  readonly switches: HookSwitches;
  readonly traces: Traces;
  readonly trust: TrustService;
  readonly plugins: Plugins;
  readonly approvals: ApprovalService;
  /** Whose keys sign approvals. */
  readonly approvers: Approvers;
  readonly webhooks: Webhooks;
  readonly cron: Work["cron"];
  readonly pipelines: Work["pipelines"];
  readonly batch: Work["batch"];
  readonly drift: Work["drift"];
  readonly retention: Work["retention"];
  readonly pdf: Work["pdf"];
  readonly signTail: OpenRecord["signTail"];
  readonly grants: OpenRecord["grants"];
  readonly headMark: OpenRecord["mark"];
  readonly #options: RuntimeOptions;
  readonly #clock: Clock;
  readonly #projects = new Map<string, Project>();
  readonly #calls = new Calls();
  readonly #outbound: Outbound;
  readonly #configListeners = new Set<(project: Project) => void>();
  readonly #servers: ServerPool;
  readonly #work: Work;
  /** Rows and engines. */
  readonly #unawaited = new Unawaited();
  #closing: Promise<void> | null = null;

  static async open(options: RuntimeOptions): Promise<Runtime> {
    maskMessages();
    const { home, log, clock = systemClock, isResident = false } = options;
    const store = openSqliteStore(join(home, "swarm.db"));
    try {
      const key = new SigningKey(join(home, "audit-key.pem"));
      const { durability } = loadUserConfig(options).audit;
      const record = await openRecord({ home, store, key, clock, log, durability, isResident });
      const decided = await readDecided(record.store);
      const runtime = new Runtime(options, key, record, decided);
      await runtime.plugins.set.refresh();
      return runtime;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  private constructor(
    options: RuntimeOptions,
    key: SigningKey,
    { store, audit, mark: headMark, grants, signTail }: OpenRecord,
    { switches, overrides, decisions }: Decided,
  ) {
    const { home, env, log, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.home = home;
    this.store = store;
    this.#outbound = new Outbound(options.network);
    this.#servers = new ServerPool({ env, log, clock, outbound: this.#outbound });
    this.traces = new Traces({ env, clock, log, outbound: this.#outbound });
    this.key = key;
    this.audit = audit;
    [this.headMark, this.grants, this.signTail] = [headMark, grants, signTail];
    const { approvals, flags: lastGood } = loadUserConfig(options);
    const changing = { audit, clock };
    const declared = () => loadUserConfig(options).flags;
    this.flags = new Flags({ ...changing, overrides, env, lastGood, declared });
    this.flags.onChanged(() => this.#reregister());
    this.switches = new HookSwitches({ ...changing, switches, onTurned: () => this.#reregister() });
    const isEnabled = (id: string): boolean => this.switches.isEnabled(id);
    const onDecided = () => this.#redecided();
    this.trust = new TrustService({ ...changing, home, store, decisions, isEnabled, onDecided });
    const user = () => {
      const { hooks, plugins, flags } = loadUserConfig(options);
      const { plugin_shell_hooks_enabled: isShellEnabled } = this.flags.values(flags);
      return { hooks, plugins: { ...plugins, isShellEnabled } };
    };
    this.plugins = new Plugins({ ...changing, home, store: store.plugins, log, user });
    const projectOf = (cwd?: string) => this.refreshed(cwd);
    const common = { home, env, log, clock, store, audit, projectOf };
    const emit = (event: EventName, data: object, origin: Origin, actor = "swarm") =>
      this.emit(event, data, origin, actor);
    const emitWith: WebhooksOptions["emit"] = (event, data, origin, actor, changes) =>
      this.emit(event, data, origin, actor, undefined, ...changes);
    this.webhooks = new Webhooks({ ...common, outbound: new Outbound(options.network), emit: emitWith });
    const configured = () => loadUserConfig(options).approvals.require;
    this.approvers = new Approvers({ ...changing, store, mark: headMark, log, configured, emit });
    const answering = { person: this.approvers, record: grants, ttlMs: approvals.ttlMs, emit };
    this.approvals = new ApprovalService({ ...changing, ...answering, store: store.approvals, log });
    this.#work = new Work({
      ...common,
      key,
      approvals: this.approvals,
      trust: this.trust,
      emit,
      emitWith,
      isOn: () => this.flags.isOn("cron_scheduler"),
      expirePayloads: (days) => this.expirePayloads(days),
    });
    const { cron, pipelines, batch, drift, pdf, retention } = this.#work;
    [this.cron, this.pipelines, this.batch, this.drift, this.pdf] = [cron, pipelines, batch, drift, pdf];
    this.retention = retention;
    this.flags.onChanged(() => cron.wake());
  }

  /** Decides an event by the files as they are now, and records it before the answer leaves. */
  async emit(
    written: AnyEventName,
    data: object,
    origin: Origin = {},
    actor?: string,
    adapt?: Adapt,
    ...changes: readonly StoreChange[]
  ): Promise<Outcome> {
    const event = canonicalName(written);
    const who = actor ?? actorOf(origin);
    const startedAtMs = this.#clock.monotonicMs();
    let inForce: InForce;
    let outcome: Outcome;
    try {
      validatePayload(event, data);
      // Waited for only when one was added, removed or switched.
      const reloading = this.plugins.set.refresh();
      if (reloading !== null) await reloading;
      let project = this.project(origin.cwd);
      const refreshing = this.#refresh(project);
      if (refreshing !== null) {
        await refreshing;
        // Asked for anew after the wait: it may have been closed meanwhile, to make room.
        project = this.#projectIn(project.cwd);
      }
      inForce = project.inForce;
      outcome = await inForce.hooks.emit(event, data as never, origin);
      if (this.#calls.reason !== null) throw this.#calls.reason;
      if (outcome.decision.verdict === "ask") {
        await this.approvals.ask(outcome, { config: inForce.config, cwd: project.cwd, origin, actor: who });
        if (this.#calls.reason !== null) throw this.#calls.reason;
      }
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      await this.audit.record(failedEntry(event, data, origin, who, error));
      const tookMs = this.#clock.monotonicMs() - startedAtMs;
      if (this.flags.isOn("traces")) this.traces.failed(event, data, origin, tookMs, error);
      throw error;
    }
    const notes = adapt?.(outcome) ?? [];
    const following = this.approvals.follow(outcome, { origin, actor: who });
    if (following !== null) this.#unawaited.leave(following);
    const ms = this.#clock.monotonicMs() - startedAtMs;
    const queued = this.webhooks.take(outcome.id);
    await this.#record(inForce.hookOf, outcome, data, origin, who, ms, notes, [...changes, ...queued]);
    if (inForce.flags.traces) this.traces.emitted(outcome, data, origin, ms);
    if (inForce.config.logHooks === "debug") logOutcome(this.#options.log, outcome, data);
    return outcome;
  }

  /** The project an event from this folder belongs to; it fails where a configuration has never been good. */
  project(from: string = this.#options.cwd): Project {
    // Links are resolved first: the files that count are those around the real folder.
    return this.#projectIn(existingFolder(from));
  }

  #projectIn(cwd: string): Project {
    const known = this.#projects.get(cwd);
    const { home, env, log } = this.#options;
    const project =
      known ??
      new Project({
        home,
        cwd,
        env,
        log,
        clock: this.#clock,
        calls: this.#calls,
        outbound: this.#outbound,
        queue: this.webhooks.queue,
        servers: this.#servers,
        plugins: this.plugins.set,
        pluginStore: this.store.plugins,
        flags: (declared) => this.flags.values(declared),
        isHookEnabled: (id) => this.switches.isEnabled(id),
        judge: (config) => this.trust.judge(config, cwd),
        approvedGuards: (file) => this.trust.approvedGuards(file),
        listener: (hookOf, flags) => this.#listener(hookOf, flags),
        traces: this.traces,
      });
    // Last in the map is last asked for.
    this.#projects.delete(cwd);
    this.#projects.set(cwd, project);
    if (known === undefined) this.#tellListeners(project);
    const [oldest] = this.#projects;
    if (this.#projects.size > maxProjects && oldest !== undefined) {
      this.#projects.delete(oldest[0]);
      this.#unawaited.leave(oldest[1].close());
    }
    return project;
  }

  /** The project by its files as they are now. */
  async refreshed(cwd?: string): Promise<Project> {
    await this.plugins.set.refresh();
    const project = this.project(cwd);
    await this.#refresh(project);
    return project;
  }

  /** Calls the listener for every project that is opened and every one whose files change; returns how to stop that. */
  onConfig(listener: (project: Project) => void): () => void {
    this.#configListeners.add(listener);
    return () => void this.#configListeners.delete(listener);
  }

  /** Forgets payloads older than this, by default as the user's file has it; their hashes stay in the record. */
  async expirePayloads(keptDays: number | null = null): Promise<number> {
    const days = keptDays ?? loadUserConfig(this.#options).audit.payloadRetentionDays;
    return expirePayloads(this, this.#clock.now(), days);
  }

  /** The names of a server's tools; for that it is started, or connected to, unless it is already. */
  toolsOf(server: ServerConfig): Promise<string[]> {
    return this.#servers.toolsOf(server, loadUserConfig(this.#options).sandbox);
  }

  /** Ends every program under way and starts no more; whoever waits for a decision hears that there is none. */
  cutOff(): void {
    this.approvals.stopWaiting();
    this.#work.cutOff();
    void this.webhooks.stop(0);
    this.#calls.cutOff(new SwarmError("SWARM_NOT_SERVING", { state: "stopping" }));
    this.#servers.cutOff();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const problems: unknown[] = [];
    // A store that has failed is no reason to leave the rest open: the process could not end.
    const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => void problems.push(error));
    // First: how its runs end is told to hooks, and by them to receivers.
    await attempt(this.#work.close());
    await attempt(this.webhooks.stop());
    await attempt(Promise.all([...this.#projects.values()].map((project) => project.close())));
    await attempt(this.#unawaited.done());
    await attempt(this.traces.close());
    await attempt(this.#servers.close());
    await attempt(this.#outbound.close());
    await attempt(this.audit.close());
    await attempt(this.store.close());
    if (problems.length > 0) throw problems[0];
  }

  #redecided(): Promise<void> {
    this.#reregister();
    return this.cron.redeclare();
  }

  #reregister(): void {
    for (const project of this.#projects.values()) project.reregister();
  }

  /** Null, and nothing to wait for, when no file has changed. */
  #refresh(project: Project): Promise<void> | null {
    const change = project.refresh();
    if (change === null) return null;
    this.#tellListeners(project);
    return this.#tellOf(project, change);
  }

  #tellListeners(project: Project): void {
    for (const listener of this.#configListeners) listener(project);
  }

  async #tellOf(project: Project, change: ConfigChange): Promise<void> {
    const origin = { cwd: project.cwd, source: "config" };
    const { hooks, hookOf } = project.inForce;
    const outcome = await hooks.emit("config.changed", change, origin);
    try {
      const queued = this.webhooks.take(outcome.id);
      await this.audit.record(emitEntry(outcome, change, origin, "swarm", 0, hookOf), ...queued);
      this.webhooks.wake(queued);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      // The event that made us look is judged by the new files, and recorded or refused by itself.
      project.forgetFiles();
      this.#options.log.warn(error.message, { event: outcome.event });
    }
  }

  /** An action a guard has judged must not happen without a record of it. */
  async #record(
    hookOf: HookOf,
    outcome: Outcome,
    data: object,
    origin: Origin,
    actor: string,
    ms: number,
    notes: readonly string[],
    changes: readonly StoreChange[],
  ): Promise<void> {
    try {
      const entry = emitEntry(outcome, data, origin, actor, ms, hookOf);
      const reason = notes.length === 0 ? entry.reason : [entry.reason ?? [], notes].flat().join("; ");
      await this.audit.record({ ...entry, reason: reason ?? null }, ...changes);
      this.webhooks.wake(changes);
    } catch (error) {
      if (!(error instanceof SwarmError) || changes.some(({ kind }) => kind === "inbound_message"))
        throw error;
      const isGuarded = outcome.handlers.some(({ name }) => hookOf(name)?.onFailure === "deny");
      if (!isGuarded) throw error;
      const reason = `this action is guarded and cannot be recorded: ${error.message}`;
      outcome.decision = { ...outcome.decision, verdict: "deny", reason, hook: "swarm" };
    }
  }

  #listener(hookOf: HookOf, flags: FlagValues): EngineListener {
    return {
      observed: (outcome, origin = {}, record) => {
        this.#recordUnawaited(observedEntry(outcome, origin, record, actorOf(origin), hookOf));
        if (flags.traces) this.traces.observed(outcome, record);
      },
      emitted: (outcome, origin = {}) => {
        const entry = emitEntry(outcome, outcome.data, origin, "swarm", 0, hookOf);
        this.#recordUnawaited(entry, this.webhooks.take(outcome.id));
        if (flags.traces) this.traces.emitted(outcome, outcome.data, origin, 0);
      },
    };
  }

  #recordUnawaited(entry: NewEntry, changes: readonly StoreChange[] = []): void {
    const { log } = this.#options;
    const recorded = this.audit.record(entry, ...changes).then(
      () => this.webhooks.wake(changes),
      (error: Error) => void log.warn(error.message, { event: entry.event }),
    );
    this.#unawaited.leave(recorded);
  }
}
