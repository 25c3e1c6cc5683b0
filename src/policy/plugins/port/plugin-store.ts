/** A plugin the user has approved: the digest names the private copy that runs, whatever became of its source since. */
export interface InstalledPlugin {
  readonly name: string;
  /** Null where its manifest has none. */
  readonly version: string | null;
  /** SHA-256 in hex of its files. */
  readonly digest: string;
  /** The folder it was copied from. */
  readonly source: string;
  /** Events its hooks guard. They are denied when the copy is damaged: a guard that is gone must not look like a quiet one. */
  readonly guarded_events: readonly string[];
  readonly is_enabled: boolean;
  readonly time: string;
  readonly actor: string;
}

/** How a program of a plugin ended; `started`: nobody was left to tell. */
export const pluginRunEndings = [
  "started",
  "refused",
  "exited",
  "signalled",
  "timed_out",
  "cancelled",
  "flooded",
  "not_started",
] as const;
export type PluginRunEnding = (typeof pluginRunEndings)[number];

/** A program that a plugin's hook is about to run, or was not allowed to. */
export interface NewPluginRun {
  readonly time: string;
  readonly plugin: string;
  readonly hook: string;
  readonly event: string;
  /** Id of the event it was for; the row of the record has the decision. */
  readonly event_id: string;
  /** As it is run; as it was written when it is refused. */
  readonly argv: readonly string[];
  /** Digest of the plugin. */
  readonly digest: string;
  /** Null: it runs. */
  readonly denied_why: string | null;
}

export interface PluginRunEnd {
  readonly ending: PluginRunEnding;
  /** Null unless it exited by itself. */
  readonly exit_code: number | null;
  readonly ms: number;
  /** What it wrote, as far as it was read. */
  readonly bytes: number;
}

export interface PluginRun extends NewPluginRun, PluginRunEnd {
  /** 1, 2, 3 … */
  readonly seq: number;
}

export interface PluginRunQuery {
  readonly limit: number;
  readonly beforeSeq?: number | undefined;
  readonly plugin?: string | undefined;
}

/** What a row of the record tells of a plugin, written with it. */
export type PluginChange =
  /** In force from then on, in the place of an earlier version. */
  | { readonly kind: "plugin_added"; readonly row: InstalledPlugin }
  /** These two throw SWARM_PLUGIN_UNKNOWN where there is none of the name. */
  | { readonly kind: "plugin_switched" /** As it is then. */; readonly row: InstalledPlugin }
  | { readonly kind: "plugin_removed"; readonly name: string };

/** Installed plugins and the programs they ran. Changes come in by `Store.append`. */
export interface PluginStore {
  /** By name. */
  list(): Promise<InstalledPlugin[]>;
  /** Written before the program starts, so that no end of this process can leave it out; returns its number. */
  beginRun(run: NewPluginRun): Promise<number>;
  /** Once; a run that has ended or was refused stays as it is. */
  endRun(seq: number, end: PluginRunEnd): Promise<void>;
  /** Newest first. */
  listRuns(query: PluginRunQuery): Promise<PluginRun[]>;
}
