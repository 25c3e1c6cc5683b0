import { oneLine } from "../../../base/show.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

type Version = ResultOf<"showModelVersion">;

export const modelsListCommand: Command = {
  summary: "list the models that pipelines have made, and which version stands where",
  positionals: [],
  examples: ["swarm models list", "swarm models list --json"],
  async run({ isJson }) {
    const { items } = await withClient((client) => client.call("listModels"));
    if (isJson) return json(items);
    if (items.length === 0) return "no models: a run of a pipeline makes one, see docs/pipelines.md\n";
    const rows = items.map(({ model, versions, latest, created_at, stages }) => [
      model,
      String(versions),
      String(latest),
      created_at,
      stages.map(({ stage, version }) => `${stage}=${version}`).join(" ") || "-",
    ]);
    return table(["MODEL", "VERSIONS", "LATEST", "MADE", "STAGES"], rows);
  },
};

export const modelsShowCommand: Command = {
  summary: "show a model's versions; with --version one of them with its lineage",
  positionals: ["MODEL"],
  options: {
    version: "N  this version: its data, code, steps, numbers, and who approved",
    limit: "N  at most this many versions, 1 to 1000; default 50",
    cursor: "CURSOR  the next_cursor of the page before",
  },
  examples: [
    "swarm models show fraud",
    "swarm models show fraud --version 2",
    "swarm models show fraud --json",
  ],
  run({ positionals: [model], options: { version, ...query }, isJson }) {
    if (model === undefined) throw usage("models show", "the name of a model is missing");
    return withClient(async (client) => {
      if (version !== undefined) {
        const found = await client.call("showModelVersion", { params: { model, version } });
        return isJson ? json(found) : shownVersion(found);
      }
      const found = await client.call("listModelVersions", { params: { model }, query: query as never });
      if (isJson) return json(found);
      const rows = found.items.map((each) => [
        String(each.version),
        each.created_at,
        each.created_by,
        each.run_id,
        each.stages.join(" ") || "-",
        numbersOf(each),
      ]);
      const more =
        found.next_cursor === null ? "" : `${style("dim", `more: --cursor ${found.next_cursor}`)}\n`;
      return table(["VERSION", "MADE", "BY", "RUN_ID", "STAGES", "METRICS"], rows) + more;
    });
  },
};

export const modelsPromoteCommand: Command = {
  summary: "have a version stand for its model at a stage, in the place of the one before",
  positionals: ["MODEL", "VERSION"],
  options: { stage: "STAGE  where, such as staging or production" },
  examples: ["swarm models promote fraud 2 --stage production"],
  async run({ positionals: [model, version], options: { stage }, isJson }) {
    if (model === undefined || version === undefined)
      throw usage("models promote", "the name of a model and a version are needed");
    if (stage === undefined) throw usage("models promote", "--stage is missing");
    const promotion = await withClient((client) =>
      client.call("promoteModel", { params: { model, version }, body: { stage } }),
    );
    const isDone = promotion.status === "promoted";
    const waits = `it waits for an approval: ${oneLine(promotion.reason ?? "", 1_000)}\nthen give the same command again\n`;
    const done = `version ${version} stands for ${model} at ${stage}\n`;
    return { text: isJson ? json(promotion) : isDone ? done : waits, exitCode: isDone ? 0 : 75 };
  },
};

interface Lineage {
  readonly data: { readonly path: string; readonly sha256: string; readonly bytes: number } | null;
  readonly code: { readonly commit: string; readonly is_dirty: boolean | null } | null;
  readonly steps: readonly {
    readonly step: string;
    readonly made_by: string;
    readonly outputs: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
  }[];
  readonly approvals: readonly {
    readonly name: string;
    readonly decided_by: string;
    readonly comment: string | null;
  }[];
  readonly trusted_by: readonly string[];
}

function shownVersion(found: Version): string {
  const { data, code, steps, approvals, trusted_by } = found.lineage as unknown as Lineage;
  const differs = { true: ", with changes", false: "", null: ", changes not known" };
  const told: readonly (readonly [string, string])[] = [
    ["model", `${found.model}, version ${found.version}`],
    ["made", `${found.created_at} by ${found.created_by}, run ${found.run_id}`],
    ["stages", found.stages.join(" ") || "-"],
    ["digest", found.digest],
    ["data", data === null ? "-" : `${data.path} (${data.bytes} bytes, SHA-256 ${data.sha256})`],
    ["code", code === null ? "-" : `${code.commit}${differs[`${code.is_dirty}`]}`],
    ["metrics", numbersOf(found)],
    ["trusted by", trusted_by.join(" ") || "-"],
    ...approvals.map(({ name, decided_by, comment }): [string, string] => [
      "approved",
      `${name} by ${decided_by}${comment === null ? "" : `: ${comment}`}`,
    ]),
  ];
  const rows = steps.flatMap(({ step, made_by, outputs }) =>
    outputs.map(({ path, sha256, bytes }) => [step, path, String(bytes), sha256, made_by]),
  );
  const lines = told.map(([key, value]) => `${key.padEnd(12)} ${oneLine(value, 1_000)}`);
  return `${lines.join("\n")}\n\n${table(["STEP", "OUTPUT", "BYTES", "SHA-256", "MADE BY"], rows)}`;
}

function numbersOf({ metrics }: Pick<Version, "metrics">): string {
  const numbers = Object.entries(metrics).map(([name, value]) => `${name}=${value}`);
  return oneLine(numbers.join(" "), 200) || "-";
}
