import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { SwarmError } from "../base/errors.ts";
import { replaceFile } from "../base/replace-file.ts";
import { suggest } from "../base/suggest.ts";
import { addToList } from "../config/add-to-list.ts";
import { didYouMean } from "../config/node.ts";
import { canonicalName } from "../engine/events/names.ts";
import { type Command, usage } from "./command.ts";
import { functionHook } from "./hooks-new/function.ts";
import { httpHook } from "./hooks-new/http.ts";
import { mcpToolHook } from "./hooks-new/mcp-tool.ts";
import { decidingProgram, watchingProgram } from "./hooks-new/program.ts";
import type { NewHook, Scaffold } from "./hooks-new/scaffold.ts";
import { webhookHook } from "./hooks-new/webhook.ts";
import { writeFiles } from "./hooks-new/write-files.ts";
import { type Template, templates } from "./hooks-new/templates.ts";
import { json } from "./json.ts";
import { ownCommand } from "./own-command.ts";

/** One row per kind; every kind a file may declare is here, and the one only code can register. */
export const scaffolds: Readonly<Record<string, (hook: NewHook) => Scaffold>> = {
  command: decidingProgram,
  script: watchingProgram,
  blocking_script: decidingProgram,
  function: functionHook,
  http: httpHook,
  webhook: webhookHook,
  mcp_tool: mcpToolHook,
};

export const hooksNewCommand: Command = {
  summary: "write a hook to start from: its code, a test and its entry for swarm.yaml",
  positionals: ["EVENT"],
  options: {
    template: `NAME  ${Object.entries(templates)
      .map(([name, { doc }]) => `${name}: ${doc}`)
      .join("; ")}`,
    kind: `KIND  ${Object.keys(scaffolds).join(", ")}; default command`,
    name: "NAME  its name; default what it does: the template, or guard-tool-before",
  },
  examples: [
    "swarm hooks new --template block-command",
    "swarm hooks new tool.before --name no-force-push",
    "swarm hooks new task.created --kind blocking_script",
    "swarm hooks new PreToolUse --kind function --name no-rm",
  ],
  run({ positionals: [written], options, isJson }) {
    const template = templateOf(options);
    if (written === undefined && template === null)
      throw usage("hooks new", "an event is missing, or --template with one of its names");
    const event = canonicalName(written ?? template?.event ?? "tool.before");
    const kind = template?.kind ?? options.kind ?? "command";
    const scaffold = template?.write ?? (Object.hasOwn(scaffolds, kind) ? scaffolds[kind] : undefined);
    if (scaffold === undefined) throw unknownKind(kind);
    const name = options.name ?? options.template ?? `${verbs[kind] ?? "guard"}-${event.replace(".", "-")}`;
    if (!/^[\w-]{1,64}$/.test(name)) throw usage("hooks new", "--name takes letters, digits, _ and -");
    const config = configFile();
    const place = `./${relative(dirname(config.path), process.cwd())}/`.replace("//", "/");
    const { files, entry, servers = null, test, next } = scaffold({ event, kind, name, place });
    const added = entry === null || servers !== null ? null : withEntry(config, entry);
    const isRegistered = entry !== null && (!config.isThere || added !== null);
    const text = `hooks:\n${entry}${servers === null ? "" : `mcp_servers:\n${servers}`}`;
    const all = isRegistered && added === null ? [{ path: "swarm.yaml", text }, ...files] : files;
    writeFiles(all);
    if (added !== null) replaceFile(config.path, added, { mode: statSync(config.path).mode & 0o777 });
    const paths = all.map(({ path }) => path);
    const swarm = ownCommand();
    const approval = entry === null ? [] : [`look at it and approve it: ${swarm} trust`];
    const steps = [...approval, `test it: ${test}`, ...next];
    if (isJson) return json({ files: paths, entry, servers, is_registered: isRegistered, test, next: steps });
    const alsoServers = servers === null ? "" : `and under mcp_servers:\n\n${servers}\n`;
    const missing =
      entry === null || isRegistered ? "" : `add to ${config.shown}:\n\n${entry}\n${alsoServers}`;
    const told = [
      ...(paths.length === 0 ? [] : [`wrote ${paths.join(", ")}`]),
      ...(added === null ? [] : [`added it to ${config.shown}`]),
    ];
    return `${told.join("\n")}\n${missing}${steps.join("\n")}\n`;
  },
};

/** What a hook does, for its name. */
const verbs: Readonly<Record<string, string>> = {
  script: "log",
  http: "judge",
  webhook: "notify",
  mcp_tool: "note",
};

function templateOf({ template, kind }: Readonly<Record<string, string | undefined>>): Template | null {
  if (template === undefined) return null;
  if (kind !== undefined) throw usage("hooks new", "--template and --kind do not go together");
  const known = Object.keys(templates);
  const found = Object.hasOwn(templates, template) ? templates[template] : undefined;
  if (found !== undefined) return found;
  const problem = `--template is ${JSON.stringify(template.slice(0, 60))}, expected ${known.join(", ")}`;
  throw usage("hooks new", `${problem}${didYouMean(suggest(template, known))}`);
}

/** The file with the entry in its list; null where there is none, or it cannot be added by adding lines. */
function withEntry({ path, isThere }: { path: string; isThere: boolean }, entry: string): string | null {
  if (!isThere) return null;
  const item = entry
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(4));
  try {
    return addToList(path, readFileSync(path, "utf8"), "hooks", item);
  } catch (error) {
    if (error instanceof SwarmError) return null;
    throw error;
  }
}

/** The nearest swarm.yaml counts alone: a new one here would switch off every hook of one further up. */
function configFile(): { path: string; shown: string; isThere: boolean } {
  const own = join(process.cwd(), "swarm.yaml");
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, "swarm.yaml");
    if (existsSync(path)) return { path, shown: relative(process.cwd(), path), isThere: true };
    if (folder === dirname(folder)) return { path: own, shown: "swarm.yaml", isThere: false };
  }
}

function unknownKind(kind: string): Error {
  const known = Object.keys(scaffolds);
  const problem = `--kind is ${JSON.stringify(kind.slice(0, 60))}, expected ${known.join(", ")}`;
  return usage("hooks new", `${problem}${didYouMean(suggest(kind, known))}`);
}
