import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSentinel, type Sentinel, writeSentinelHooks } from "./sentinel.ts";

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
  readonly sentinel: Sentinel = newSentinel();

  constructor(within = tmpdir()) {
    // The real one: agents name their files by it.
    this.folder = realpathSync(mkdtempSync(join(within, "swarm-verify-")));
    this.project = this.#make("project");
    this.bare = this.#make("bare");
    this.agentHome = this.#make("agent");
    this.swarmHome = this.#make("swarm");
    this.temporary = this.#make("tmp");
    writeSentinelHooks(this.project, this.sentinel);
  }

  has(marker: string): boolean {
    return existsSync(join(this.project, marker));
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
