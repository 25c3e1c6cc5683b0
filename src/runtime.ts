import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { jsonlAudit } from "./audit/jsonl-audit.ts";
import { SwarmError } from "./base/errors.ts";
import type { Log } from "./base/log.ts";
import { redact } from "./base/redact.ts";
import type { Config, HookConfig } from "./config/hook-config.ts";
import { loadConfig } from "./config/load.ts";
import type { Origin } from "./events/envelope.ts";
import type { EventName } from "./events/names.ts";
import type { Outcome } from "./events/outcome.ts";
import { commandHandler } from "./handlers/command/command-handler.ts";
import { type Hooks, openHooks } from "./hooks/create-hooks.ts";
import type { Audit, RunEvent } from "./ports/audit.ts";
import type { HandlerFunction } from "./ports/handler.ts";

/** Where the configuration is and what it may see of the environment. */
export interface RuntimeOptions {
  readonly home: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** The composition root: the configuration of a folder in an engine with a handler for every kind, and a record. */
export class Runtime {
  readonly audit: Audit;
  readonly #options: RuntimeOptions;
  #loaded: { readonly config: Config; readonly hooks: Hooks };
  #stamp: string;
  #problem: SwarmError | null = null;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.audit = jsonlAudit(join(options.home, "audit", "run-events.jsonl"));
    this.#stamp = stampOf(options);
    this.#loaded = load(options);
  }

  /** The configuration in force: the last one that was good. */
  get config(): Config {
    return this.#loaded.config;
  }

  /** Why the files as they stand now are not in force; null when they are. */
  get problem(): SwarmError | null {
    return this.#problem;
  }

  /** Decides an event by the files as they are now, and records it before the answer leaves. */
  async emit(event: EventName, data: object, origin: Origin = {}): Promise<Outcome> {
    await this.#reloadIfChanged();
    const outcome = await this.#loaded.hooks.emit(event, data as never, origin);
    this.audit.append(runEventOf(outcome, origin));
    if (this.config.logHooks === "debug") logDebug(this.#options.log, outcome, data);
    return outcome;
  }

  close(): Promise<void> {
    return this.#loaded.hooks.close();
  }

  /** A broken edit must not switch the guards off: the last good configuration stays, and says so. */
  async #reloadIfChanged(): Promise<void> {
    const stamp = stampOf(this.#options);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const before = this.#loaded.hooks;
    try {
      this.#loaded = load(this.#options);
      this.#problem = null;
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      this.#problem = error;
      this.#options.log.warn(error.message, { code: error.code });
    }
    const name = this.config.files.at(-1) ?? this.#options.cwd;
    const change = { name, error: this.#problem?.message ?? null, hook_count: this.config.hooks.length };
    const origin = { cwd: this.#options.cwd, source: "config" };
    const outcome = await this.#loaded.hooks.emit("config.changed", change, origin);
    this.audit.append(runEventOf(outcome, origin));
    // Events under way end with the hooks they started with.
    if (before !== this.#loaded.hooks) void before.close();
  }
}

function load({ home, cwd, env, log }: RuntimeOptions): { config: Config; hooks: Hooks } {
  const config = loadConfig({ home, cwd, env });
  const { hooks, register } = openHooks({ trace: true, hooksEnabled: config.hooksEnabled, log });
  for (const hook of config.hooks) {
    const { match, priority, mode, onFailure, onDenied, timeoutMs, plugin, name } = hook;
    const options = {
      match,
      priority,
      mode,
      onFailure,
      timeoutMs,
      name,
      ...(hook.when && { when: hook.when }),
    };
    const more = { ...(onDenied && { onDenied }), ...(plugin !== null && { plugin }) };
    register(hook.event, { ...options, ...more }, handlerOf(hook, home, env), hook.action.kind);
  }
  return { config, hooks };
}

function handlerOf(hook: HookConfig, home: string, env: NodeJS.ProcessEnv): HandlerFunction {
  const { action, name, dialect, nativeEvent, timeoutMs } = hook;
  switch (action.kind) {
    case "command":
    case "script":
    case "blocking_script": {
      const { kind, argv, line, pluginRoot } = action;
      const isClaudeShaped = dialect === "claude";
      const baseFolder = dirname(hook.source.file);
      const projectFolder = baseFolder === home ? null : baseFolder;
      const folders = { pluginRoot, baseFolder, projectFolder, spillFolder: join(home, "spill") };
      return commandHandler(
        { name, kind, isClaudeShaped, nativeEvent, argv, line, timeoutMs, ...folders },
        env,
      );
    }
    // A guard of a kind that cannot run must not look like one that has nothing to say: it fails, each time.
    case "webhook":
    case "http":
    case "mcp_tool":
      return () => {
        throw new SwarmError("SWARM_KIND_UNAVAILABLE", { hook: name, kind: action.kind });
      };
  }
}

/** Changes whenever a file that counts is written, replaced, removed or appears; six looks at the file system, 30 µs. */
function stampOf({ home, cwd }: RuntimeOptions): string {
  const files = [join(home, "config.yaml")];
  for (let folder = cwd; ; folder = dirname(folder)) {
    files.push(join(folder, "swarm.yaml"));
    if (folder === dirname(folder)) break;
  }
  return files
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false, bigint: true });
      return found === undefined ? "-" : `${found.ino}.${found.mtimeNs}.${found.size}`;
    })
    .join(" ");
}

function runEventOf({ id, event, decision, handlers }: Outcome, origin: Origin): RunEvent {
  const { session = null, agent = null, cwd = null, source = null } = origin;
  const { verdict, reason, hook } = decision;
  return {
    id,
    time: new Date().toISOString(),
    event,
    session,
    agent,
    cwd,
    source,
    verdict,
    reason,
    hook,
    handlers,
  };
}

function logDebug(log: Log, outcome: Outcome, data: object): void {
  const { event, id, decision, handlers } = outcome;
  log.debug?.(`hooks: ${event} ${decision.verdict}`, {
    id,
    data: redact(data),
    decision,
    handlers: [...handlers],
  });
}
