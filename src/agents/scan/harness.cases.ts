import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { adapters } from "../adapters/index.ts";
import { loadPolicyFile } from "../../config/policy/load-policy.ts";
import { shippedPolicy } from "../../config/policy/shipped.ts";
import type { ScanReport } from "./report.ts";
import { type NamedPolicy, type ScanOptions, scan } from "./scan.ts";
import { type ScannedAgent, scannedAgents } from "../port/agents.ts";

const fixtures = join(import.meta.dirname, "transcripts", "fixtures");

/** The home the fixtures were made in, as far as paths in them go. */
export const names = { home: "/home/dev", swarmHome: "/home/dev/.swarm" };

/** A user's home with transcripts in it, gone when the test is over. */
export class ScannedHome {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-scan-")));

  constructor(t: { after(work: () => void): void }) {
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Where an agent keeps its transcripts. */
  agentHome(agent: ScannedAgent): string {
    return join(this.folder, agent, agent === "gemini-cli" ? ".gemini" : "");
  }

  /** As the agent has left them: `recorded`, `recorded-older`, `made-up`. */
  add(kind: string, agent: ScannedAgent): this {
    const to = join(this.folder, agent);
    cpSync(join(fixtures, kind, agent), to, { recursive: true });
    if (kind === "recorded" && agent === "opencode") this.#makeDatabase(join(to, "data/opencode"));
    return this;
  }

  scan(options: Partial<ScanOptions> = {}): ScanReport {
    return scan({
      agents: scannedAgents,
      placeOf: (agent) => ({
        home: this.folder,
        env: { XDG_DATA_HOME: join(this.folder, "opencode/data") },
        agentHome: this.agentHome(agent),
      }),
      home: names.home,
      adapters,
      policy: starter(),
      inForce: null,
      period: { sinceMs: null, words: "in all transcripts" },
      nowMs: Date.parse("2026-11-16T12:00:00Z"),
      ...options,
    });
  }

  #makeDatabase(folder: string): void {
    mkdirSync(folder, { recursive: true });
    const database = new DatabaseSync(join(folder, "opencode.db"));
    database.exec("pragma journal_mode = wal; pragma foreign_keys = off");
    database.exec(readFileSync(join(folder, "opencode.sql"), "utf8"));
    database.close();
  }
}

export function starter(): NamedPolicy {
  return { name: "starter", policy: loadPolicyFile(shippedPolicy("starter").file, names).policy };
}

export function policyFile(file: string): NamedPolicy {
  return { name: file, policy: loadPolicyFile(file, names).policy };
}
