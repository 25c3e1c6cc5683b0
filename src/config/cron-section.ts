import type { JsonObject } from "../engine/events/schema.ts";
import { jobFields } from "../operations/cron/port/cron-job.ts";
import { readFields } from "./fields.ts";
import { configLimits } from "./limits.ts";
import { type ConfigNode, invalid, type Position, showNode } from "./node.ts";
import type { Reading } from "./reading.ts";

/** A job as a file declares it: its keys and their types are checked, what its schedule and task say is not. */
export interface DeclaredJob {
  readonly source: Position & { readonly file: string };
  readonly settings: JsonObject & { readonly name: string };
}

/** What stands under `cron:`, a list of jobs. */
export function readCronSection({ file, owner }: Reading, node: ConfigNode): DeclaredJob[] {
  if (node.kind === "scalar" && node.value === null) return []; // every job below it is commented out
  if (node.kind !== "list")
    throw invalid(file, node.at, `cron is ${showNode(node)}, expected a list of jobs`);
  const excess = node.items[configLimits.cronJobs];
  if (excess !== undefined)
    throw invalid(file, excess.at, `more than ${configLimits.cronJobs} jobs, expected fewer`);
  const names = new Set<string>();
  return node.items.map((item) => {
    const fields = readFields(file, item, "the job", jobFields);
    // Where its files are looked for when it is approved is where it has to run.
    if (owner !== "user" && fields.cwd !== undefined)
      throw invalid(
        file,
        fields.cwd.at,
        "cwd is the user's to set: a project's job runs in the project's folder",
      );
    const settings = Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, plain(field?.value)]),
    ) as DeclaredJob["settings"];
    if (names.has(settings.name)) throw invalid(file, item.at, `job ${settings.name} is declared twice`);
    names.add(settings.name);
    return { source: { file, ...item.at }, settings };
  });
}

/** A part of a file as the data it stands for. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("kind" in value)) return value;
  const node = value as ConfigNode;
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  // Own keys only, whatever they are called.
  return Object.fromEntries(node.entries.map(({ key, value: part }) => [key, plain(part)]));
}
