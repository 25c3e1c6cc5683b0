import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { adapters } from "../../agents/adapters/index.ts";
import type { Folders } from "../../agents/install/install.ts";
import type { Adapter } from "../../agents/port/adapter.ts";
import { agentPrograms } from "../../agents/verify/agents/agent-programs.ts";
import { findProgram } from "../../agents/verify/find-program.ts";

export interface FoundAgent {
  readonly adapter: Adapter;
  /** The user's settings file our hooks go into. */
  readonly file: string;
  /** Whether its program can be started, and so be verified. */
  readonly isOnPath: boolean;
}

/** Agents that have settings in this home, or a program on PATH. */
export function findAgents(): FoundAgent[] {
  const folders: Folders = { home: homedir(), project: process.cwd(), env: process.env };
  return Object.values<Adapter>(adapters).flatMap((adapter) => {
    const program = agentPrograms[adapter.agent];
    const isOnPath = !("unprovable" in program) && findProgram(program, process.env) !== null;
    if (!isOnPath && !existsSync(adapter.settings.home(folders))) return [];
    return [{ adapter, file: adapter.settings.file("user", folders), isOnPath }];
  });
}
