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
import { pluginStatements } from "../sql/plugins.ts";
import type { ChangeWriters } from "../port/store.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export class SqlitePluginStore implements PluginStore {
  readonly changes: ChangeWriters<PluginChange> = {
    plugin_added: ({ row }) =>
      this.#sql.add.run({ ...row, guarded_events: JSON.stringify(row.guarded_events) }),
    plugin_switched: ({ row }) => changedOne(row.name, this.#sql.switch.run(row)),
    plugin_removed: ({ name }) => changedOne(name, this.#sql.remove.run({ name })),
  };
  readonly #sql: Statements<typeof pluginStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(pluginStatements);
  }

  async list(): Promise<InstalledPlugin[]> {
    return this.#sql.list.all<StoredPlugin>().map((row) => ({
      ...row,
      guarded_events: JSON.parse(row.guarded_events) as string[],
      is_enabled: row.is_enabled === 1,
    }));
  }

  async beginRun(run: NewPluginRun): Promise<number> {
    const ending = run.denied_why === null ? "started" : "refused";
    // Half a surrogate pair or a NUL may stand in what a plugin wrote, and must not keep its refusal from being recorded.
    const argv = JSON.stringify(run.argv.map((argument) => argument.toWellFormed()));
    return this.#sql.beginRun.one<{ seq: number }>({ ...run, argv, ending })?.seq ?? 0;
  }

  async endRun(seq: number, end: PluginRunEnd): Promise<void> {
    this.#sql.endRun.run({ ...end, seq });
  }

  async listRuns({
    limit,
    beforeSeq: before_seq = Number.MAX_SAFE_INTEGER,
    plugin,
  }: PluginRunQuery): Promise<PluginRun[]> {
    const { listRuns, listRunsOf } = this.#sql;
    const page = { before_seq, limit };
    const rows =
      plugin === undefined ? listRuns.all<StoredRun>(page) : listRunsOf.all<StoredRun>({ ...page, plugin });
    return rows.map((row) => ({ ...row, argv: JSON.parse(row.argv) as string[] }));
  }
}

function changedOne(plugin: string, count: number): void {
  if (count === 0) throw new SwarmError("SWARM_PLUGIN_UNKNOWN", { plugin, suggestion: undefined });
}

type StoredPlugin = Omit<InstalledPlugin, "guarded_events" | "is_enabled"> & {
  readonly guarded_events: string;
  readonly is_enabled: number;
};

type StoredRun = Omit<PluginRun, "argv"> & { readonly argv: string };
