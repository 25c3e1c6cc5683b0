import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { fileStamp } from "../../base/file-stamp.ts";
import type { Log } from "../../base/log.ts";
import { hookDigest } from "../../config/digest.ts";
import type { FlagValues, SetFlags } from "../../config/flags.ts";
import type { Config, HookConfig, ServerConfig } from "../../config/hook-config.ts";
import type { ApprovedGuards } from "../../config/inherit-guards.ts";
import { loadConfig, projectFiles } from "../../config/load.ts";
import type { ServerLease, ServerPool } from "../../handlers/mcp-tool/server-pool.ts";
import { type Hooks, openHooks } from "../../engine/hooks/create-hooks.ts";
import type { EngineListener } from "../../engine/hooks/engine.ts";
import type { Outbound } from "../../net/outbound.ts";
import { namesOf } from "../../policy/rules/files/path-names.ts";
import { guardedEvents, type Judge, makeJudge, policyHook } from "../../policy/rules/judge.ts";
import { knownRuleGuard, ruleGuard } from "../../policy/rules/rule-guard.ts";
import { withPlugins } from "../../policy/plugins/loaded.ts";
import type { PluginSet } from "../../policy/plugins/plugin-set.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import type { PluginStore } from "../../policy/plugins/port/plugin-store.ts";
import type { Traces } from "../telemetry/traces.ts";
import { inertReason, type JudgedHook, type Judgement, type TrustState } from "../../policy/trust/judge.ts";
import type { Calls } from "./calls.ts";
import { type HandlerParts, handlerOf } from "./handler-of.ts";
import { isWebhook } from "../../operations/webhooks/receivers.ts";
import { TypedInputGuard } from "../../policy/rules/typed-input-guard.ts";

export interface ProjectOptions {
  /** As the file system has it: no links in it. */
  readonly cwd: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly calls: Calls;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly outbound: Outbound;
  readonly queue: HandlerParts["queue"];
  /** False: webhooks are listed and skipped. */
  readonly callsWebhooks: boolean;
  readonly servers: ServerPool;
  readonly plugins: PluginSet;
  readonly pluginStore: PluginStore;
  /** What is on, with what the user's file says. */
  readonly flags: (declared: SetFlags) => FlagValues;
  readonly isHookEnabled: (hookId: string) => boolean;
  /** Which of the hooks may run. */
  readonly judge: (config: Config) => Judgement;
  readonly approvedGuards: ApprovedGuards;
  readonly listener: (hookOf: HookOf, flags: FlagValues, logHooks: Config["logHooks"]) => EngineListener;
  readonly traces: Traces;
}

/** Which hook a handler's name stands for. */
export type HookOf = (name: string) => KnownHook | undefined;

export interface KnownHook {
  /** Null for one of our own. */
  readonly id: string | null;
  readonly digest: string | null;
  readonly onFailure: "allow" | "deny";
}

/** One state of the files. An event that began with it ends with it, and is recorded as such. */
export interface InForce {
  readonly config: Config;
  readonly flags: FlagValues;
  readonly hooks: Hooks;
  readonly hookOf: HookOf;
  /** What its hooks call; given back when no event needs them any more. */
  readonly leases: readonly ServerLease[];
  readonly judgement: Judgement;
  /** Null when there are no permission rules. */
  readonly rules: Judge | null;
}

/** The payload of `config.changed`. */
export interface ConfigChange {
  readonly name: string;
  readonly error: string | null;
  readonly hook_count: number;
}

/** The configuration of one folder in an engine, as its files are now. */
export class Project {
  readonly #options: ProjectOptions;
  /** Engines of earlier files whose events are still under way. */
  readonly #retired = new Set<Promise<void>>();
  #inForce: InForce;
  /** Of the user's file, the project's, and the policy files they use. */
  #stamp: string;
  readonly #places: Places;
  #policyFiles: readonly string[] = [];
  #problem: SwarmError | null = null;

  constructor(options: ProjectOptions) {
    this.#options = options;
    this.#places = placesOf(options);
    this.#stamp = this.#stampNow();
    this.#inForce = this.#engineFor(this.#load());
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  /** The last state of the files that was good. */
  get inForce(): InForce {
    return this.#inForce;
  }

  get config(): Config {
    return this.#inForce.config;
  }

  /** Every file that has, or would have, a part in what is in force now. */
  get files(): readonly string[] {
    const { user, project } = this.#places;
    const nearest = project.findIndex((file) => this.config.files.includes(file));
    const farther = nearest === -1 ? [] : project.slice(nearest + 1).filter((file) => this.#hasGuards(file));
    const upToNearest = nearest === -1 ? project : project.slice(0, nearest + 1);
    return [user, ...this.#policyFiles, ...upToNearest, ...farther];
  }

  /** Whether the hook of this name is called for events now. */
  isInForce(name: string): boolean {
    return this.#inForce.hooks.list().some((hook) => hook.name === name);
  }

  /** Why the files as they stand now are not in force; null when they are. */
  get problem(): SwarmError | null {
    return this.#problem;
  }

  /**
   * Takes the files as they are now, if they have changed. A broken edit must not switch the guards off: the last
   * good configuration stays, and says so. Returns what changed, for `config.changed`.
   */
  refresh(): ConfigChange | null {
    const stamp = this.#stampNow();
    if (stamp === this.#stamp && !this.#inForce.judgement.isOutdated()) return null;
    this.#stamp = stamp;
    try {
      this.#replace(this.#load());
      this.#problem = null;
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      this.#problem = error;
      this.#options.log.warn(error.message, { code: error.code });
    }
    const name = this.config.files.at(-1) ?? this.#options.cwd;
    return { name, error: this.#problem?.message ?? null, hook_count: this.config.hooks.length };
  }

  /** Has the next `refresh` take the files again, and tell of it: nobody heard of the last change. */
  forgetFiles(): void {
    this.#stamp = "";
  }

  trustOf(hookId: string): TrustState {
    return this.#inForce.judgement.hooks.find(({ hook }) => hook.id === hookId)?.state ?? "untrusted";
  }

  /** Takes the hooks that are enabled and trusted now, of the configuration in force: the files may be broken meanwhile. */
  reregister(): void {
    this.#replace(this.config);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#retired, retire(this.#inForce)]);
  }

  #replace(config: Config): void {
    const before = this.#inForce;
    this.#inForce = this.#engineFor(config);
    // Events under way end with the hooks they started with.
    const closing = retire(before).finally(() => this.#retired.delete(closing));
    this.#retired.add(closing);
  }

  #load(): Config {
    const { home, cwd, env, approvedGuards, plugins } = this.#options;
    const load = (): Config => withPlugins(loadConfig({ home, cwd, env, approvedGuards }), plugins.loaded);
    try {
      const config = load();
      // Files nobody looked at so far may have changed since they were read: once more, now that somebody does.
      return this.#watch(config.policy.files) ? load() : config;
    } catch (error) {
      // Mending a policy file that is broken has to be seen, too.
      const { file } = { file: undefined, ...(error as SwarmError).params };
      if (file !== undefined && !this.#policyFiles.includes(file)) this.#watch([...this.#policyFiles, file]);
      throw error;
    }
  }

  /** Looks at these policy files from now on; whether they are others than before. */
  #watch(policyFiles: readonly string[]): boolean {
    if (policyFiles.join("\n") === this.#policyFiles.join("\n")) return false;
    this.#policyFiles = policyFiles;
    this.#stamp = this.#stampNow();
    return true;
  }

  #hasGuards(file: string): boolean {
    return this.#options.approvedGuards(file).size > 0;
  }

  /**
   * Changes whenever a file or plugin that counts is written, replaced, removed or appears. The search ends at the nearest
   * file, as loading does: two looks at the file system for an event from the folder of a project, 8 µs. Of files farther
   * up those with approved guards count.
   */
  #stampNow(): string {
    let stamp = `${this.#options.plugins.version} ${fileStamp(this.#places.user)}`;
    for (const file of this.#policyFiles) stamp += ` ${fileStamp(file)}`;
    let isNearestFound = false;
    for (const file of this.#places.project) {
      if (isNearestFound) {
        const guards = this.#options.approvedGuards(file);
        if (guards.size === 0) continue;
        stamp += ` ${[...guards].join()}`;
      }
      // Most folders have none, and that there is none is known in a third of the time it takes to look at one.
      const isThere = existsSync(file);
      stamp += isThere ? ` ${fileStamp(file)}` : " -";
      isNearestFound ||= isThere;
    }
    return stamp;
  }

  #engineFor(config: Config): InForce {
    const {
      home,
      env,
      log,
      calls,
      outbound,
      queue,
      callsWebhooks,
      servers,
      pluginStore,
      isHookEnabled,
      judge,
      listener,
      traces,
    } = this.#options;
    const judgement = judge(config);
    const known = new Map<string, KnownHook>(config.hooks.map((hook) => [hook.name, knownHook(hook)]));
    const rules = rulesOf(config, this.#options);
    const hookOf: HookOf = (name) => known.get(name) ?? (rules ? knownRuleGuard(rules, name) : undefined);
    const flags = this.#options.flags(config.flags);
    // What comes in is checked before it is decided, whether or not a hook will see it.
    const options = { trace: true, log, validate: false };
    const { hooks, register } = openHooks(options, listener(hookOf, flags, config.logHooks));
    const timed = (name: string, handler: HandlerFunction) =>
      flags.traces ? traces.around(name, handler) : handler;
    const leases: ServerLease[] = [];
    const serverOf = (server: ServerConfig) => {
      const lease = servers.lease(server, config.sandbox);
      leases.push(lease);
      return lease.server;
    };
    const trusted = { ...config, servers: judgement.servers };
    const plugins = { ...config.plugins, isShellEnabled: flags.plugin_shell_hooks_enabled };
    const parts = { home, log, env, outbound, queue, serverOf, pluginStore, plugins, rules };
    const typed = rules === null ? new TypedInputGuard(placeOf(this.#options)) : null;
    const handle = (hook: HookConfig) => {
      const handler = handlerOf(hook, trusted, parts);
      if (isWebhook(hook)) return handler;
      const called = calls.around(handler);
      return typed === null ? called : typed.around(hook, called);
    };
    for (const { hook, state, runnable } of flags.hooks_enabled ? judgement.hooks : []) {
      if (!isHookEnabled(hook.id)) continue;
      const handler = runnable === null ? neverCalled : handle(runnable);
      const whyInert =
        runnable === null
          ? inertReason(state)
          : isWebhook(hook) && !callsWebhooks
            ? "a test sends nothing; with --send it is sent"
            : null;
      const inert = whyInert === null ? {} : { inert: whyInert };
      register(hook.event, { ...hookOptions(hook), ...inert }, timed(hook.name, handler), hook.action.kind);
    }
    // A project's guards that nobody has approved are missed by nobody who has switched hooks off.
    if (judgement.denial !== null && flags.hooks_enabled) {
      const guard = trustGuard(judgement.denial, judgement.hooks);
      known.set(guard.options.name, guard.known);
      register("tool.before", guard.options, guard.handler, "trust");
    }
    for (const event of guardedEvents) {
      if (rules === null) break;
      const guard = ruleGuard(rules, event, (name) => known.has(name));
      register(event, guard.options, timed(guard.options.name, guard.handler), policyHook);
    }
    return { config, flags, hooks, hookOf, leases, judgement, rules };
  }
}

async function retire({ hooks, leases }: InForce): Promise<void> {
  try {
    await hooks.close();
  } finally {
    for (const lease of leases) lease.release();
  }
}

function rulesOf({ policy: { policy } }: Config, options: ProjectOptions): Judge | null {
  if (policy === null) return null;
  const { names, cwd, now } = placeOf(options);
  return makeJudge({ policy, home: names.home, cwd, now });
}

/** Where rules judge. */
function placeOf({ home, env, cwd, clock }: ProjectOptions) {
  return { names: namesOf(home, env), cwd, now: () => clock.now() };
}

/** Stands in for a hook that may not run. */
function neverCalled(): never {
  throw new SwarmError("SWARM_INTERNAL", { problem: "a hook was called that may not run" });
}

/** Denies every tool before any other hook is asked. Its name is no other hook's, whatever a project calls its own. */
function trustGuard(reason: string, hooks: readonly JudgedHook[]) {
  let name = "swarm/trust";
  while (hooks.some(({ hook }) => hook.name === name)) name += "'";
  return {
    options: { name, priority: Number.MAX_VALUE, onFailure: "deny" },
    handler: () => ({ verdict: "deny", reason }),
    known: { id: null, digest: null, onFailure: "deny" } as const,
  };
}

function knownHook(hook: HookConfig): KnownHook {
  return { id: hook.id, digest: hookDigest(hook), onFailure: hook.onFailure };
}

function hookOptions(hook: HookConfig): object {
  const { match, priority, mode, onFailure, onDenied, timeoutMs, plugin, name, when } = hook;
  return {
    match,
    priority,
    mode,
    onFailure,
    timeoutMs,
    name,
    ...(when && { when }),
    ...(hook.action.kind === "function" && hook.action.condition && { when: hook.action.condition }),
    ...(onDenied && { onDenied }),
    // What it notes is kept with the event's own row.
    ...(isWebhook(hook) && { takesNote: true }),
    ...(plugin !== null && { plugin }),
    // Claude Code compares with its own names, exactly: `write` there is not Write.
    ...(hook.dialect === "claude" && { matchesOwnNamesOnly: true }),
  };
}

/** Where the files can be. */
interface Places {
  readonly user: string;
  /** From the folder itself up. */
  readonly project: readonly string[];
}

function placesOf({ home, cwd }: ProjectOptions): Places {
  return { user: join(home, "config.yaml"), project: projectFiles(cwd) };
}
