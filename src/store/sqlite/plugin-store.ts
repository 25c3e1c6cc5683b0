import { SwarmError } from "../../base/errors.ts";
import type {
  InstalledPlugin,
  NewPluginRun,
  PluginChange,
  PluginRun,
  PluginRunEnd,
  PluginRunQuery,
  PluginStore,
} from "../../policy/plugins/port/plugin-store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqlitePluginStore implements PluginStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async list(): Promise<InstalledPlugin[]> {
    return this.#file.all<StoredPlugin>("list-plugins").map((row) => ({
      ...row,
      guarded_events: JSON.parse(row.guarded_events) as string[],
      is_enabled: row.is_enabled === 1,
    }));
  }

  async beginRun(run: NewPluginRun): Promise<number> {
    const { time, plugin, hook, event, event_id, digest, denied_why } = run;
    const ending = denied_why === null ? "started" : "refused";
    // Half a surrogate pair or a NUL may stand in what a plugin wrote, and must not keep its refusal from being recorded.
    const argv = JSON.stringify(run.argv.map((argument) => argument.toWellFormed()));
    const told = [time, plugin, hook, event, event_id, argv, digest, ending, denied_why];
    return this.#file.one<{ seq: number }>("begin-plugin-run", ...told)?.seq ?? 0;
  }

  async endRun(seq: number, { ending, exit_code, ms, bytes }: PluginRunEnd): Promise<void> {
    this.#file.run("end-plugin-run", ending, exit_code, ms, bytes, seq);
  }

  async listRuns({ limit, beforeSeq, plugin }: PluginRunQuery): Promise<PluginRun[]> {
    const rows = this.#file.all<StoredRun>("list-plugin-runs", {
      before_seq: beforeSeq ?? Number.MAX_SAFE_INTEGER,
      plugin: plugin ?? null,
      limit,
    });
    return rows.map((row) => ({ ...row, argv: JSON.parse(row.argv) as string[] }));
  }

  /** Within the transaction of the row that tells of it. */
  apply(change: PluginChange): void {
    switch (change.kind) {
      case "plugin_added": {
        const { name, version, digest, source, guarded_events, time, actor } = change.row;
        const what = [name, version, digest, source, JSON.stringify(guarded_events)];
        this.#file.run("add-plugin", ...what, Number(change.row.is_enabled), time, actor);
        break;
      }
      case "plugin_switched":
        this.#changeOne(change.row.name, "switch-plugin", Number(change.row.is_enabled), change.row.name);
        break;
      case "plugin_removed":
        this.#changeOne(change.name, "remove-plugin", change.name);
    }
  }

  #changeOne(name: string, statement: string, ...values: (string | number)[]): void {
    if (this.#file.run(statement, ...values) === 0)
      throw new SwarmError("SWARM_PLUGIN_UNKNOWN", { plugin: name, suggestion: undefined });
  }
}

type StoredPlugin = Omit<InstalledPlugin, "guarded_events" | "is_enabled"> & {
  readonly guarded_events: string;
  readonly is_enabled: number;
};

type StoredRun = Omit<PluginRun, "argv"> & { readonly argv: string };
