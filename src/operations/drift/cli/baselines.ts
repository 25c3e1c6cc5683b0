import { oneLine } from "../../../base/show.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";
import { listed } from "./check.ts";

export const baselinesSetCommand: Command = {
  summary: "read data once and keep what drift checks need of them, under a name",
  positionals: ["NAME", "SOURCE"],
  options: {
    output: "STEP|FILE  of a pipeline run: what holds the data",
    features: "A,B  only these fields, as dotted paths",
    ignore: "A,B  fields that are left out",
    categorical: "A,B  fields whose numbers are names",
  },
  examples: [
    "swarm baselines set fraud-3 march.jsonl.gz --ignore id",
    "swarm baselines set fraud-4 abc123 --categorical postcode",
  ],
  async run({ positionals: [name, source], options, isJson }) {
    if (name === undefined || source === undefined)
      throw usage("baselines set", "a name and a source are needed");
    const { output, features, ignore, categorical } = options;
    const lists = { features, ignore, categorical };
    const given = Object.entries(lists).flatMap(([key, written]) =>
      written === undefined ? [] : [[key, listed(written)]],
    );
    const body = {
      source,
      cwd: process.cwd(),
      ...(output !== undefined && { output }),
      ...Object.fromEntries(given),
    };
    const set = await withClient((client) =>
      client.call("setBaseline", { params: { name }, body: body as never }),
    );
    return isJson
      ? json(set)
      : `${oneLine(set.name)}: ${set.rows} records, ${set.features} features of ${oneLine(set.source)}\n`;
  },
};

export const baselinesListCommand: Command = {
  summary: "list the baselines of drift checks",
  positionals: [],
  examples: ["swarm baselines list", "swarm baselines list --json"],
  async run({ isJson }) {
    const { items } = await withClient((client) => client.call("listBaselines"));
    if (isJson) return json(items);
    if (items.length === 0) return "no baselines: make one with swarm baselines set, see docs/drift.md\n";
    const rows = items.map(({ name, rows: count, features, source, set_at, set_by }) => [
      name,
      String(count),
      String(features),
      set_at,
      set_by,
      source,
    ]);
    return table(["NAME", "RECORDS", "FEATURES", "SET", "BY", "SOURCE"], rows);
  },
};

export const baselinesShowCommand: Command = {
  summary: "show one baseline: where it came from, its digests and its fields",
  positionals: ["NAME"],
  examples: ["swarm baselines show fraud-3", "swarm baselines show fraud-3 --json"],
  async run({ positionals: [name], isJson }) {
    if (name === undefined) throw usage("baselines show", "the name of a baseline is missing");
    const shown = await withClient((client) => client.call("showBaseline", { params: { name } }));
    if (isJson) return json(shown);
    const { schema, files: _files, ...told } = shown;
    const lines = Object.entries(told).map(([key, value]) => `${key.padEnd(15)} ${oneLine(String(value))}`);
    const rows = schema.map(({ feature, type, present, categories }) => [
      feature,
      type ?? "-",
      String(present),
      type === "number" ? "-" : String(categories ?? "too many"),
    ]);
    return `${lines.join("\n")}\n\n${table(["FEATURE", "TYPE", "PRESENT", "CATEGORIES"], rows)}`;
  },
};
