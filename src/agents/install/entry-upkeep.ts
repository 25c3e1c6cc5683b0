import { adapters } from "../adapters/index.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { needsOf } from "./entry-needs.ts";
import { type EntryUpdate, updateEntries } from "./update.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { Project } from "../../daemon/runtime/project.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";

export interface UpkeepOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

const event: RecordedChange = "agent.reinstalled";

/**
 * Brings agents' entries up to the hooks in force, records what was changed and tells what could not be. False when
 * another process is at it.
 */
export async function updateAgents(
  runtime: Runtime,
  folder: string | null,
  { env, log }: UpkeepOptions,
): Promise<boolean> {
  const updates = tryUpdate(runtime, folder, env);
  for (const update of updates ?? []) {
    const { agent, scope, file, result, detail } = update;
    log.warn(sentence(update), { event, result });
    if (result === "left") continue;
    const reason = `${agent}, ${scope}: ${file}: ${detail}`;
    await runtime.audit.record({ kind: "change", event, actor: "swarm", agent, reason });
  }
  return updates !== null;
}

/** Nobody waits for it, and nothing must wait for it. */
const lockWaitMs = 20;

function tryUpdate(runtime: Runtime, folder: string | null, env: NodeJS.ProcessEnv): EntryUpdate[] | null {
  try {
    const { home, plugins, trust } = runtime;
    const hasApprovedGuards = (file: string) => trust.approvedGuards(file).size > 0;
    const pluginHooks = plugins.hooks();
    return updateEntries({ home, env, adapters, pluginHooks, hasApprovedGuards, folder, lockWaitMs });
  } catch (error) {
    if (error instanceof SwarmError && error.code === "SWARM_INSTALL_BUSY") return null;
    throw error;
  }
}

function sentence({ agent, file, result, detail }: EntryUpdate): string {
  if (result === "updated") return `${agent}: ${file} has been brought up to the hooks in force: ${detail}`;
  return `${agent}: ${file} is not up to the hooks in force, and was left alone: ${detail}`;
}

/** Does it for a daemon: soon after a configuration that asks for something else has come into force. */
export class EntryUpkeep {
  readonly #runtime: Runtime;
  readonly #options: UpkeepOptions;
  /** Folders to be looked at; null: all that are known. */
  readonly #folders = new Set<string | null>();
  /** What each configuration file asked for when it was last seen: most folders of a project bring nothing new. */
  readonly #seen = new Map<string, string>();
  readonly #stopListening: () => void;
  #work: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;

  constructor(runtime: Runtime, { env, log }: UpkeepOptions) {
    this.#runtime = runtime;
    this.#options = { env, log: { ...log, warn: once(log) } };
    this.#stopListening = runtime.projects.onChanged((project) => this.#consider(project));
    this.#look(null);
  }

  /** Resolves when what was begun is done. */
  stop(): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#retry);
    this.#folders.clear();
    return this.#work;
  }

  #consider({ cwd, config }: Project): void {
    const needs = needsOf(config);
    // Those of plugins ask for something too.
    const files = [...new Set([...config.files, ...Object.keys(needs)])];
    const news = files.filter((file) => this.#seen.get(file) !== JSON.stringify(needs[file] ?? {}));
    const isOther = news.length > 0 || this.#seen.get(cwd) !== files.join();
    if (this.#seen.size > maxSeen) this.#seen.clear();
    for (const file of files) this.#seen.set(file, JSON.stringify(needs[file] ?? {}));
    // A file that is gone is among the files no more.
    this.#seen.set(cwd, files.join());
    if (isOther) this.#look(cwd);
  }

  /** Not at once: whoever the configuration was loaded for is waiting for an answer. */
  #look(folder: string | null): void {
    const isFirst = this.#folders.size === 0;
    this.#folders.add(folder);
    if (isFirst) this.#work = this.#work.then(() => this.#update());
  }

  async #update(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const folders = [...this.#folders];
    this.#folders.clear();
    for (const folder of folders) {
      try {
        const isDone = await updateAgents(this.#runtime, folder, this.#options);
        if (!isDone) this.#retry = setTimeout(() => this.#look(folder), retryMs).unref();
      } catch (error) {
        this.#options.log.warn(`agents' settings were not looked at: ${(error as Error).message}`, { event });
      }
    }
  }
}

const maxSeen = 10_000;
const retryMs = 1_000;
const maxTold = 1_000;

/** The same trouble is told once, not every time somebody comes by. */
function once(log: Log): Log["warn"] {
  const told = new Set<string>();
  return (message, fields) => {
    if (told.has(message)) return;
    if (told.size > maxTold) told.clear();
    told.add(message);
    log.warn(message, fields);
  };
}
