import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DeniedCall, type OtherCall, Sentinel, writeSentinelHooks } from "./sentinel.ts";

// The same path from src/agents/verify and from dist/verify.
const serverProgram = join(import.meta.dirname, "..", "..", "..", "native", "verify-mcp-server.mjs");

/** A server of the Model Context Protocol for the agent, with one tool. */
export interface McpServer {
  readonly name: string;
  readonly tool: string;
  readonly argv: readonly [string, ...string[]];
}

/** Folders of one verification. Everything the agent writes lands here, and goes with it. */
export class Workplace {
  readonly folder: string;
  /** Where the agent works; its hooks are the sentinel's. */
  readonly project: string;
  /** Without hooks of its own: only the user's are in force. */
  readonly bare: string;
  /** The agent's settings, sessions and caches. */
  readonly agentHome: string;
  readonly swarmHome: string;
  readonly temporary: string;
  readonly sentinel = new Sentinel();
  readonly server: McpServer;

  constructor(within = tmpdir()) {
    // The real one: agents name their files by it.
    this.folder = realpathSync(mkdtempSync(join(within, "swarm-verify-")));
    this.project = this.#make("project");
    this.bare = this.#make("bare");
    this.agentHome = this.#make("agent");
    this.swarmHome = this.#make("swarm");
    this.temporary = this.#make("tmp");
    const [name, tool] = [this.sentinel.word("server"), this.sentinel.word("tool")];
    this.server = {
      name,
      tool,
      argv: [process.execPath, serverProgram, this.project, tool],
    };
    writeSentinelHooks(this.project, this.sentinel);
  }

  /** The whole name of a file of the project. */
  path(file: string): string {
    return join(this.project, file);
  }

  /** By what it would have left behind: a file, or, for an edit, its text in one. */
  hasRun(call: DeniedCall | OtherCall): boolean {
    const { sentinel } = this;
    const left = sentinel.fileOf(call);
    if (existsSync(this.path(left))) return true;
    const edited = this.path(sentinel.word("edited file"));
    return existsSync(edited) && readFileSync(edited, "utf8").includes(left);
  }

  /** What the agent has started is gone by now, but its last file may still be on its way. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #make(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }
}
