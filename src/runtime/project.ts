import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwarmError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { hookDigest } from "../config/digest.ts";
import type { Config, HookConfig, ServerConfig } from "../config/hook-config.ts";
import { loadConfig } from "../config/load.ts";
import type { ServerLease, ServerPool } from "../handlers/mcp-tool/server-pool.ts";
import { type Hooks, openHooks } from "../hooks/create-hooks.ts";
import type { EngineListener } from "../hooks/engine.ts";
import type { Outbound } from "../net/outbound.ts";
import type { Calls } from "./calls.ts";
import { handlerOf } from "./handler-of.ts";

export interface ProjectOptions {
  readonly home: string;
  /** As the file system has it: no links in it. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly calls: Calls;
  readonly outbound: Outbound;
  readonly servers: ServerPool;
  readonly isHookEnabled: (hookId: string) => boolean;
  readonly listener: (hookOf: HookOf) => EngineListener;
}

/** Which hook a handler's name stands for. */
export type HookOf = (name: string) => KnownHook | undefined;

export interface KnownHook {
  readonly id: string;
  readonly digest: string;
  readonly onFailure: "allow" | "deny";
}

/** One state of the files. An event that began with it ends with it, and is recorded as such. */
export interface InForce {
  readonly config: Config;
  readonly hooks: Hooks;
  readonly hookOf: HookOf;
  /** What its hooks call; given back when no event needs them any more. */
  readonly leases: readonly ServerLease[];
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
  #stamp: string;
  #problem: SwarmError | null = null;

  constructor(options: ProjectOptions) {
    this.#options = options;
    this.#stamp = stampOf(options);
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

  /** Why the files as they stand now are not in force; null when they are. */
  get problem(): SwarmError | null {
    return this.#problem;
  }

  /**
   * Takes the files as they are now, if they have changed. A broken edit must not switch the guards off: the last
   * good configuration stays, and says so. Returns what changed, for `config.changed`.
   */
  refresh(): ConfigChange | null {
    const stamp = stampOf(this.#options);
    if (stamp === this.#stamp) return null;
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

  /** Takes the hooks that are enabled now, of the configuration in force: the files may be broken meanwhile. */
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
    const { home, cwd, env } = this.#options;
    return loadConfig({ home, cwd, env });
  }

  #engineFor(config: Config): InForce {
    const { home, env, log, calls, outbound, servers, isHookEnabled, listener } = this.#options;
    const known = new Map(config.hooks.map((hook) => [hook.name, knownHook(hook)]));
    const hookOf: HookOf = (name) => known.get(name);
    const options = { trace: true, hooksEnabled: config.hooksEnabled, log };
    const { hooks, register } = openHooks(options, listener(hookOf));
    const leases: ServerLease[] = [];
    const serverOf = (server: ServerConfig) => {
      const lease = servers.lease(server, config.sandbox);
      leases.push(lease);
      return lease.server;
    };
    for (const hook of config.hooks) {
      if (!isHookEnabled(hook.id)) continue;
      const handler = calls.around(handlerOf(hook, config, { home, env, outbound, serverOf }));
      register(hook.event, hookOptions(hook), handler, hook.action.kind);
    }
    return { config, hooks, hookOf, leases };
  }
}

async function retire({ hooks, leases }: InForce): Promise<void> {
  try {
    await hooks.close();
  } finally {
    for (const lease of leases) lease.release();
  }
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
    ...(onDenied && { onDenied }),
    ...(plugin !== null && { plugin }),
    // Claude Code compares with its own names, exactly: `write` there is not Write.
    ...(hook.dialect === "claude" && { matchesOwnNamesOnly: true }),
  };
}

/**
 * Changes whenever a file that counts is written, replaced, removed or appears. The search ends at the nearest file, as
 * loading does: two looks at the file system for an event from the folder of a project, 8 µs.
 */
function stampOf({ home, cwd }: ProjectOptions): string {
  let stamp = fileStamp(join(home, "config.yaml"));
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = fileStamp(join(folder, "swarm.yaml"));
    stamp += ` ${found}`;
    if (found !== "-" || folder === dirname(folder)) return stamp;
  }
}

/** Milliseconds with a fraction tell apart what is 0.25 µs apart; numbers cost half of what big integers do. */
function fileStamp(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}.${found.mtimeMs}.${found.ctimeMs}.${found.size}`;
}
