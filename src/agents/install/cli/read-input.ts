import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { adapters } from "../../adapters/index.ts";
import { suggest } from "../../../base/suggest.ts";
import type { Folders } from "../install.ts";
import type { Adapter, Scope } from "../../port/adapter.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";

export interface Wanted {
  readonly scope: Scope;
  readonly folders: Folders;
  readonly chosen: readonly Adapter[];
}

/** No name means every agent that is there: its settings folder is. */
export function readInput(command: string, { positionals, options }: CommandInput): Wanted {
  const { scope = "user" } = options;
  if (scope !== "user" && scope !== "project")
    throw usage(command, `--scope is ${JSON.stringify(scope)}, expected user or project`);
  const folders = { home: homedir(), project: process.cwd(), env: process.env };
  const all = Object.values<Adapter>(adapters);
  const present = all.filter((adapter) => existsSync(adapter.settings.home(folders)));
  const named = [...new Set(positionals)].map((name) => adapterNamed(command, name));
  const chosen = positionals.length === 0 ? present : named;
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
