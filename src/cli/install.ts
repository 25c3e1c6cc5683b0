import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { adapters } from "../adapters/index.ts";
import { suggest } from "../base/suggest.ts";
import { type ClientProgram, makeClient } from "../install/client-program.ts";
import {
  applyInstall,
  applyUninstall,
  type Change,
  type Folders,
  planInstall,
  planUninstall,
} from "../install/install.ts";
import type { Adapter, Scope } from "../ports/adapter.ts";
import type { RecordedChange } from "../ports/run-event.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type Command, type CommandInput, usage } from "./command.ts";
import { openRuntime, swarmHome } from "./home.ts";
import { json } from "./json.ts";
import { style } from "./style.ts";

const options = { scope: "SCOPE  user (default) or project" };
const flags = { yes: { short: "y", doc: "do not ask" } };

export const installCommand: Command = {
  summary: "have coding agents call our hooks: shows what would change in their settings, asks, keeps a copy",
  positionals: ["AGENT…"],
  options,
  flags,
  examples: ["swarm install", "swarm install claude-code --yes", "swarm install codex --scope project"],
  async run(input) {
    const { scope, folders, chosen } = read("install", input);
    const runtime = await openRuntime();
    try {
      const client = makeClient(clientPlace());
      const { hooks } = runtime.project().config;
      const changes = chosen.map((adapter) => planInstall(adapter, scope, folders, client, hooks));
      if (!(await isWanted(changes, input, [clientLine(client)]))) return "nothing was changed\n";
      for (const change of changes) applyInstall(change, swarmHome());
      for (const change of changes.filter(isChange)) await note(runtime, "agent.installed", change);
      return told(changes, input.isJson, "installed", client);
    } finally {
      await runtime.close();
    }
  },
};

export const uninstallCommand: Command = {
  summary: "take our hooks out of coding agents' settings: the file as it was, if nothing else changed in it",
  positionals: ["AGENT…"],
  options,
  flags,
  examples: ["swarm uninstall", "swarm uninstall claude-code --yes"],
  async run(input) {
    const { scope, folders, chosen } = read("uninstall", input);
    const changes = chosen.map((adapter) => planUninstall(adapter, scope, folders, swarmHome()));
    if (!(await isWanted(changes, input, []))) return "nothing was changed\n";
    const runtime = await openRuntime();
    try {
      for (const change of changes.filter(isChange)) {
        applyUninstall(change, swarmHome());
        await note(runtime, "agent.uninstalled", change);
      }
    } finally {
      await runtime.close();
    }
    return told(changes, input.isJson, "uninstalled", null);
  },
};

interface Wanted {
  readonly scope: Scope;
  readonly folders: Folders;
  readonly chosen: readonly Adapter[];
}

/** No name means every agent that is there: its settings folder is. */
function read(command: string, { positionals, options: given }: CommandInput): Wanted {
  const { scope = "user" } = given;
  if (scope !== "user" && scope !== "project")
    throw usage(command, `--scope is ${JSON.stringify(scope)}, expected user or project`);
  const folders = { home: homedir(), project: process.cwd(), env: process.env };
  const all = Object.values<Adapter>(adapters);
  const present = all.filter((adapter) => existsSync(dirname(adapter.settings.file("user", folders))));
  const chosen = positionals.length === 0 ? present : positionals.map((name) => adapterNamed(command, name));
  if (chosen.length > 0) return { scope, folders, chosen };
  throw usage(command, `no agent was found, name one of ${all.map(({ agent }) => agent).join(", ")}`);
}

function adapterNamed(command: string, name: string): Adapter {
  const all = Object.values<Adapter>(adapters);
  const found = all.find(({ agent }) => agent === name);
  if (found !== undefined) return found;
  const names = all.map(({ agent }) => agent);
  const near = suggest(name, names);
  const hint = near === undefined ? `expected ${names.join(" or ")}` : `did you mean ${near}?`;
  throw usage(command, `unknown agent ${JSON.stringify(name)}, ${hint}`);
}

function clientPlace() {
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const cli = join(import.meta.dirname, "..", "..", "bin", "swarm");
  return { home: swarmHome(), node: process.execPath, cli, path };
}

/** Shows what would be done and asks; a program that cannot be asked has to say --yes. */
async function isWanted(
  changes: readonly Change[],
  { flags: given, isJson }: CommandInput,
  more: readonly string[],
) {
  const wanted = changes.filter(isChange);
  if (wanted.length === 0 || given.has("yes")) return true;
  const shown = wanted.flatMap(({ file, diff }) => [style("bold", file), ...diff.map(coloured), ""]);
  process.stderr.write(`${[...shown, ...more].join("\n")}\n`);
  if (isJson || process.stdin.isTTY !== true)
    throw usage("install", "this would change the files above, and there is nobody to ask: add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question("Change them? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function coloured(line: string): string {
  if (line.startsWith("+")) return style("green", line);
  return line.startsWith("-") ? style("red", line) : line;
}

function isChange({ before, after }: Change): boolean {
  return before !== after;
}

function clientLine({ kind, argv, note }: ClientProgram): string {
  return `agents start ${argv[0]}${note === null ? "" : ` (${kind}: ${note})`}`;
}

function told(
  changes: readonly Change[],
  isJson: boolean,
  done: string,
  client: ClientProgram | null,
): string {
  if (isJson) {
    const files = changes.map(({ agent, scope, file, before, after }) => ({
      agent,
      scope,
      file,
      is_changed: before !== after,
    }));
    return json({ files, client });
  }
  const lines = changes.map(({ agent, file, before, after }) =>
    before === after ? `${agent}: ${file} is as it should be` : `${agent}: ${done}, ${file}`,
  );
  const trust = changes.flatMap(({ agent }) => trustNotes[agent] ?? []);
  const notes = client === null ? [] : [...trust, ...changes.filter(isIgnored).map(ignoredNote)];
  const next = client === null ? [] : [clientLine(client), "prove it: swarm verify"];
  return `${[...lines, ...notes, ...next].join("\n")}\n`;
}

/** Claude Code 2.1.325 passes over a settings file with comments or trailing commas, without a word. */
function isIgnored({ agent, after }: Change): boolean {
  if (agent !== "claude-code" || after === null) return false;
  try {
    JSON.parse(after.replace(/^\ufeff/, ""));
    return false;
  } catch {
    return true; // we have read it as JSON with comments, so that is what it has
  }
}

function ignoredNote({ agent, file }: Change): string {
  return `${agent}: WILL NOT RUN our hooks: it ignores a settings file with comments or trailing commas, take them out of ${file}`;
}

/** What is left to the user: an agent that does not trust a hook skips it without a word. */
const trustNotes: Readonly<Record<string, string>> = {
  codex: "codex: skips hooks until you trust them: start codex in a terminal, it shows them for review",
};

async function note(runtime: Runtime, event: RecordedChange, { agent, file, scope }: Change): Promise<void> {
  const reason = `${agent}, ${scope}: ${file}`;
  await runtime.audit.record({ kind: "change", event, actor: `human:${userInfo().username}`, reason });
}
