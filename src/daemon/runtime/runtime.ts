import { join } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { maskMessages } from "../../base/mask-messages.ts";
import type { ServerConfig } from "../../config/hook-config.ts";
import { loadUserConfig } from "../../config/load.ts";
import { ServerPool } from "../../handlers/mcp-tool/server-pool.ts";
import { Outbound } from "../../net/outbound.ts";
import { Webhooks } from "../../operations/webhooks/service.ts";
import { ApprovalService } from "../../policy/approvals/service.ts";
import { Approvers } from "../../policy/approvers/approvers.ts";
import { Plugins } from "../../policy/plugins/plugins.ts";
import { TrustService } from "../../policy/trust/service.ts";
import { expirePayloads } from "../../record/audit/expire-payloads.ts";
import { type OpenRecord, openRecord } from "../../record/audit/open-record.ts";
import { SigningKey } from "../../record/audit/signing-key.ts";
import type { Store } from "../../store/port/store.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { Flags } from "../flags/flags.ts";
import { Traces } from "../telemetry/traces.ts";
import { Calls } from "./calls.ts";
import { type Decided, readDecided } from "./decided.ts";
import { EventRecorder } from "./event-recorder.ts";
import { Events } from "./events.ts";
import { HookSwitches } from "./hook-switches.ts";
import type { RuntimeOptions } from "./options.ts";
import type { Emit } from "./port/emit.ts";
import { Projects } from "./projects.ts";
import { Unawaited } from "./unawaited.ts";
import { Work } from "./work.ts";

/** The composition root: every project's hooks, one store, one record. */
export class Runtime {
  readonly home: string;
  readonly store: Store;
  readonly audit: OpenRecord["audit"];
  readonly key: SigningKey;
  readonly events: Events;
  readonly projects: Projects;
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
  readonly #calls = new Calls();
  readonly #outbound: Outbound;
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
    const reregister = () => this.projects.reregister();
    this.flags = new Flags({
      ...changing,
      overrides,
      env,
      lastGood,
      declared: () => loadUserConfig(options).flags,
    });
    this.flags.onChanged(reregister);
    this.switches = new HookSwitches({ ...changing, switches, onTurned: reregister });
    const onDecided = () => {
      reregister();
      return this.cron.redeclare();
    };
    const isEnabled = (id: string): boolean => this.switches.isEnabled(id);
    this.trust = new TrustService({ ...changing, home, store, decisions, isEnabled, onDecided });
    const user = () => {
      const { hooks, plugins, flags } = loadUserConfig(options);
      const { plugin_shell_hooks_enabled: isShellEnabled } = this.flags.values(flags);
      return { hooks, plugins: { ...plugins, isShellEnabled } };
    };
    this.plugins = new Plugins({ ...changing, home, store: store.plugins, log, user });
    // Of our own: nobody has caused it.
    const emit: Emit = (request) => this.events.emit({ actor: "swarm", ...request });
    const projectOf = async (cwd?: string) => this.projects.refresh(cwd);
    const common = { home, env, log, clock, store, audit, projectOf, emit };
    this.webhooks = new Webhooks({ ...common, outbound: new Outbound(options.network) });
    const configured = () => loadUserConfig(options).approvals.require;
    this.approvers = new Approvers({ ...changing, store, mark: headMark, log, configured, emit });
    const answering = { person: this.approvers, record: grants, ttlMs: approvals.ttlMs, emit };
    this.approvals = new ApprovalService({ ...changing, ...answering, store: store.approvals, log });
    const unawaited = this.#unawaited;
    const recorder = new EventRecorder({
      audit,
      webhooks: this.webhooks,
      traces: this.traces,
      log,
      unawaited,
    });
    this.projects = new Projects({
      cwd: options.cwd,
      plugins: this.plugins.set,
      unawaited,
      changed: (project, change) => recorder.configChanged(project, change),
      optionsFor: (cwd) => ({
        home,
        cwd,
        env,
        log,
        clock,
        calls: this.#calls,
        outbound: this.#outbound,
        queue: this.webhooks.queue,
        servers: this.#servers,
        plugins: this.plugins.set,
        pluginStore: store.plugins,
        flags: (declared) => this.flags.values(declared),
        isHookEnabled: isEnabled,
        judge: (config) => this.trust.judge(config, cwd),
        approvedGuards: (file) => this.trust.approvedGuards(file),
        listener: (hookOf, flags) => recorder.listener(hookOf, flags),
        traces: this.traces,
      }),
    });
    this.events = new Events({
      clock,
      flags: this.flags,
      projects: this.projects,
      calls: this.#calls,
      approvals: this.approvals,
      recorder,
      traces: this.traces,
      unawaited,
    });
    this.#work = new Work({
      ...common,
      key,
      approvals: this.approvals,
      trust: this.trust,
      isOn: () => this.flags.isOn("cron_scheduler"),
      expirePayloads: (days) => this.expirePayloads(days),
    });
    const { cron, pipelines, batch, drift, pdf, retention } = this.#work;
    [this.cron, this.pipelines, this.batch, this.drift, this.pdf] = [cron, pipelines, batch, drift, pdf];
    this.retention = retention;
    this.flags.onChanged(() => cron.wake());
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
    await attempt(this.projects.stop());
    await attempt(this.#unawaited.done());
    await attempt(this.traces.close());
    await attempt(this.#servers.close());
    await attempt(this.#outbound.close());
    await attempt(this.audit.close());
    await attempt(this.store.close());
    if (problems.length > 0) throw problems[0];
  }
}
