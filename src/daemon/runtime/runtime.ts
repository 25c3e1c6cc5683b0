import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { maskMessages } from "../../base/mask-messages.ts";
import { Lazy, type Part, stopAll } from "../../base/part.ts";
import type { ServerConfig } from "../../config/hook-config.ts";
import { loadUserConfig } from "../../config/load.ts";
import { ServerPool } from "../../handlers/mcp-tool/server-pool.ts";
import { Outbound } from "../../net/outbound.ts";
import { openBatch } from "../../operations/batch/service.ts";
import { openCron } from "../../operations/cron/service.ts";
import { openDrift } from "../../operations/drift/service.ts";
import { PipelineService } from "../../operations/pipelines/service.ts";
import { Retention } from "../../operations/retention/service.ts";
import { Webhooks } from "../../operations/webhooks/service.ts";
import { ApprovalService } from "../../policy/approvals/service.ts";
import { Approvers } from "../../policy/approvers/approvers.ts";
import { Plugins } from "../../policy/plugins/plugins.ts";
import { TrustService } from "../../policy/trust/service.ts";
import { expirePayloads } from "../../record/audit/expire-payloads.ts";
import { type OpenRecord, openRecord } from "../../record/audit/open-record.ts";
import { SigningKey } from "../../record/audit/signing-key.ts";
import { AuditPdfService } from "../../record/pdf/service.ts";
import { SwarmService } from "../../swarm/open-swarm.ts";
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

/** A home that is open: every project's hooks, one store, one record. */
export type Runtime = ReturnType<typeof compose>;

export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  maskMessages();
  const { home, log, clock = systemClock, isResident = false, isThreaded = false } = options;
  const { durability } = loadUserConfig(options).audit;
  const key = new SigningKey(join(home, "audit-key.pem"));
  const url = join(home, "swarm.db");
  const record = await openRecord({ home, url, key, clock, log, durability, isResident, isThreaded });
  try {
    const runtime = compose(options, key, record, await readDecided(record.store));
    await runtime.plugins.set.refresh();
    return runtime;
  } catch (error) {
    await record.store.close();
    throw error;
  }
}

/** The composition root. Parts ask each other by functions where they need one that is made later. */
function compose(options: RuntimeOptions, key: SigningKey, record: OpenRecord, known: Decided) {
  const { home, env, log, clock = systemClock } = options;
  const { store, audit, grants, mark: headMark, signTail, verify } = record;
  const userConfig = () => loadUserConfig(options);
  const changing = { audit, clock };
  const outbound = new Outbound(options.network);
  const servers = new ServerPool({ env, log, clock, outbound });
  const traces = new Traces({ env, clock, log, outbound });
  const calls = new Calls();
  const unawaited = new Unawaited();

  // What people have decided. Any of it has every project take its hooks anew.
  const reregister = (): void => projects.reregister();
  const flags = new Flags({
    ...changing,
    overrides: known.overrides,
    env,
    lastGood: userConfig().flags,
    declared: () => userConfig().flags,
  });
  flags.onChanged(reregister);
  const switches = new HookSwitches({ ...changing, switches: known.switches, onTurned: reregister });
  const isEnabled = (id: string): boolean => switches.isEnabled(id);
  const onDecided = async () => {
    reregister();
    await (await cron.opened())?.redeclare();
  };
  const trust = new TrustService({
    ...changing,
    home,
    store,
    decisions: known.decisions,
    isEnabled,
    onDecided,
  });
  const user = () => {
    const { hooks, plugins, flags: declared } = userConfig();
    const { plugin_shell_hooks_enabled: isShellEnabled } = flags.values(declared);
    return { hooks, plugins: { ...plugins, isShellEnabled } };
  };
  const plugins = new Plugins({ ...changing, home, store: store.plugins, log, user });

  // An event: decided by its project's hooks and rules, maybe by a person, then recorded.
  const emit: Emit = (request) => events.emit({ actor: "swarm", ...request });
  const projectOf = async (cwd?: string) => projects.refresh(cwd);
  const common = { home, env, log, clock, store, audit, key, trust, projectOf, emit };
  const swarm = new SwarmService(common);
  const webhooks = new Webhooks({ ...common, outbound: new Outbound(options.network) });
  const configured = () => userConfig().approvals.require;
  const approvers = new Approvers({ ...changing, store, mark: headMark, log, configured, emit });
  const approvals = new ApprovalService({
    ...changing,
    person: approvers,
    record: grants,
    ttlMs: userConfig().approvals.ttlMs,
    emit,
    store: store.approvals,
    log,
  });
  const recorder = new EventRecorder({ ...common, webhooks, traces, unawaited });
  const projects = new Projects({
    cwd: options.cwd,
    unawaited,
    changed: (project, change) => recorder.configChanged(project, change),
    judge: (config, cwd) => trust.judge(config, cwd),
    parts: {
      home,
      env,
      log,
      clock,
      calls,
      outbound,
      queue: webhooks.queue,
      callsWebhooks: options.callsWebhooks ?? true,
      servers,
      plugins: plugins.set,
      pluginStore: store.plugins,
      flags: (declared) => flags.values(declared),
      isHookEnabled: isEnabled,
      approvedGuards: (file) => trust.approvedGuards(file),
      listener: (hookOf, values, logHooks) => recorder.listener(hookOf, values, logHooks),
      traces,
    },
  });
  const deciding = { flags, projects, calls, approvals, webhooks, traces, unawaited, swarm };
  const events = new Events({ ...common, ...deciding });

  // What happens by itself, or takes its time. Loaded when it is first asked for: most commands do without.
  const forgetPayloads = (keptDays: number | null = null): Promise<number> =>
    expirePayloads(
      { store, audit, webhooks },
      clock.now(),
      keptDays ?? userConfig().audit.payloadRetentionDays,
    );
  const working = { ...common, approvals, isOn: () => flags.isOn("cron_scheduler") };
  const pdf = new AuditPdfService({ ...common, reads: record.reads });
  const retention = new Retention(common);
  const pipelines = new PipelineService(working);
  const batch = new Lazy(() => openBatch(working));
  const drift = new Lazy(() => openDrift({ ...working, pipelines, batch }));
  const cron = new Lazy(() =>
    openCron({ ...working, pipelines, pdf, retention, drift, expirePayloads: forgetPayloads }),
  );
  flags.onChanged(() => void cron.opened().then((opened) => opened?.tick()));

  const notServing = new SwarmError("SWARM_NOT_SERVING", { state: "stopping" });
  /** In the order they are stopped: how runs end is told to hooks, by them to receivers, and all of it to the record. */
  const parts: readonly (readonly Part[])[] = [
    [{ abort: () => approvals.stopWaiting() }, { abort: () => calls.abort(notServing) }, cron, batch, drift],
    [pipelines, swarm], // a job may be waiting for one
    [webhooks],
    [projects],
    [unawaited],
    [closed(traces)],
    [{ ...closed(servers), abort: () => servers.abort() }],
    [closed(outbound), record.reads],
    [closed(audit)],
    [closed(store)],
  ];
  let closing: Promise<void> | null = null;
  return {
    ...{ home, store, audit, key, grants, headMark, signTail, verify },
    ...{ flags, switches, trust, plugins, approvals, approvers },
    ...{ events, projects, webhooks, traces },
    ...{ cron, batch, pipelines, drift, retention, pdf, swarm },
    /** Forgets payloads older than this, by default as the user's file has it; their hashes stay in the record. */
    expirePayloads: forgetPayloads,
    /** The names of a server's tools; for that it is started, or connected to, unless it is already. */
    toolsOf: (server: ServerConfig) => servers.toolsOf(server, userConfig().sandbox),
    /** Ends every program under way and starts no more; whoever waits for a decision hears that there is none. */
    abort(): void {
      for (const part of parts.flat()) part.abort?.();
    },
    close(): Promise<void> {
      closing ??= stopAll(parts);
      return closing;
    },
  };
}

/** What has no runs to end, and is only closed. */
function closed(resource: { close(): Promise<void> }): Part {
  return { stop: () => resource.close() };
}
