import { join } from "node:path";
import { fileStamp } from "../../base/file-stamp.ts";
import { replaceFile } from "../../base/replace-file.ts";
import type { Log } from "../../base/log.ts";
import type { PluginStore } from "./port/plugin-store.ts";
import { type LoadedPlugin, loadPlugin } from "./loaded.ts";
import { pluginsFolder } from "./snapshot.ts";

/**
 * The installed plugins, as the store has them now. Another process may add or remove one: whoever does touches a file,
 * and one look at that file (4 µs) before each event is all it costs when nothing has changed.
 */
export class PluginSet {
  readonly #home: string;
  readonly #store: PluginStore;
  readonly #log: Log;
  readonly #marker: string;
  #loaded: readonly LoadedPlugin[] = [];
  #version = 0;
  #stamp: string | null = null;
  #loading: Promise<void> | null = null;

  constructor(home: string, store: PluginStore, log: Log) {
    this.#home = home;
    this.#store = store;
    this.#log = log;
    this.#marker = join(pluginsFolder(home), "changed");
  }

  get loaded(): readonly LoadedPlugin[] {
    return this.#loaded;
  }

  /** Another one whenever what is loaded is another. */
  get version(): number {
    return this.#version;
  }

  /** Null when nothing has changed; else done when the plugins of now are loaded. */
  refresh(): Promise<void> | null {
    const stamp = fileStamp(this.#marker);
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      const loading = this.#loadAfter(this.#loading).finally(() => {
        if (this.#loading === loading) this.#loading = null;
      });
      this.#loading = loading;
    }
    return this.#loading;
  }

  /** One after the other: a slow one must not put older plugins in the place of newer ones. */
  async #loadAfter(before: Promise<void> | null): Promise<void> {
    await before?.catch(() => undefined); // whoever waits for that one is told
    await this.#load();
  }

  /** Has every process look again, this one as well. */
  async changed(): Promise<void> {
    // Another file each time: a clock may stand still between two changes.
    replaceFile(this.#marker, "");
    await this.refresh();
  }

  async #load(): Promise<void> {
    try {
      const known = new Map(this.#loaded.map((plugin) => [plugin.row.name, plugin]));
      const rows = await this.#store.list();
      const loaded = await Promise.all(
        rows.map((row) => {
          const before = known.get(row.name);
          const isSame = before?.row.digest === row.digest && before.row.is_enabled === row.is_enabled;
          return isSame && before.problem === null ? { ...before, row } : loadPlugin(this.#home, row);
        }),
      );
      for (const { problem } of loaded)
        if (problem !== null) this.#log.warn(problem.message, { code: problem.code });
      this.#loaded = loaded;
      this.#version++;
    } catch (error) {
      this.#stamp = null; // tried again by the next event
      throw error;
    }
  }
}
