import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { suggest } from "../base/suggest.ts";
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
import { json } from "./json.ts";

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
    kind: `KIND  ${Object.keys(scaffolds).join(", ")}; default command`,
    name: "NAME  its name, default my-hook",
  },
  examples: [
    "swarm hooks new tool.before --name no-force-push",
    "swarm hooks new task.created --kind blocking_script",
    "swarm hooks new PreToolUse --kind function --name no-rm",
  ],
  run({ positionals: [written], options: { kind = "command", name = "my-hook" }, isJson }) {
    if (written === undefined) throw usage("hooks new", "an event is missing");
    const event = canonicalName(written);
    const scaffold = Object.hasOwn(scaffolds, kind) ? scaffolds[kind] : undefined;
    if (scaffold === undefined) throw unknownKind(kind);
    if (!/^[\w-]{1,64}$/.test(name)) throw usage("hooks new", "--name takes letters, digits, _ and -");
    const config = configFile();
    const place = `./${relative(dirname(config.path), process.cwd())}/`.replace("//", "/");
    const { files, entry, servers = null, test, next } = scaffold({ event, kind, name, place });
    const isRegistered = entry !== null && !config.isThere;
    const text = `hooks:\n${entry}${servers === null ? "" : `mcp_servers:\n${servers}`}`;
    const all = isRegistered ? [{ path: "swarm.yaml", text }, ...files] : files;
    writeFiles(all);
    const paths = all.map(({ path }) => path);
    const approval = entry === null ? [] : ["look at it and approve it: swarm trust"];
    const steps = [...approval, `test it: ${test}`, ...next];
    if (isJson) return json({ files: paths, entry, servers, is_registered: isRegistered, test, next: steps });
    const alsoServers = servers === null ? "" : `and under mcp_servers:\n\n${servers}\n`;
    const missing =
      entry === null || isRegistered ? "" : `add to ${config.shown}:\n\n${entry}\n${alsoServers}`;
    return `wrote ${paths.join(", ")}\n${missing}${steps.join("\n")}\n`;
  },
};

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
