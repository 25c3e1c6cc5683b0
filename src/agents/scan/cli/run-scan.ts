import { homedir } from "node:os";
import { resolve } from "node:path";
import { adapters } from "../../adapters/index.ts";
import { loadUserConfig } from "../../../config/load.ts";
import { loadPolicy, loadPolicyFile } from "../../../config/policy/load-policy.ts";
import { shippedPolicy } from "../../../config/policy/shipped.ts";
import { namesOf } from "../../../policy/rules/files/path-names.ts";
import type { ScanReport } from "../report.ts";
import { type NamedPolicy, scan } from "../scan.ts";
import type { Period } from "../summary.ts";
import type { ScannedAgent } from "../../port/agents.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { progressLine } from "./progress.ts";

interface RunOptions {
  readonly agents: readonly ScannedAgent[];
  readonly period: Period;
  /** The one to try; undefined: the starter policy, compared with nothing. */
  readonly policyFile: string | undefined;
}

export function runScan({ agents, period, policyFile }: RunOptions): ScanReport {
  const { env } = process;
  const names = namesOf(swarmHome(), env);
  const starter = (): NamedPolicy => {
    return { name: "starter", policy: loadPolicyFile(shippedPolicy("starter").file, names).policy };
  };
  const policy = policyFile === undefined ? starter() : policyIn(resolve(policyFile));
  const inForce = policyFile === undefined ? null : (usersPolicy() ?? starter());
  const home = env.HOME || homedir();
  const line = progressLine();
  try {
    return scan({
      agents,
      placeOf: (agent) => {
        const agentHome = adapters[agent].settings.home({ home, project: process.cwd(), env });
        return { home, env, agentHome };
      },
      home: names.home,
      adapters,
      policy,
      inForce,
      period,
      nowMs: Date.now(),
      onProgress: line.show,
    });
  } finally {
    line.clear();
  }

  function policyIn(file: string): NamedPolicy {
    return { name: file, policy: loadPolicyFile(file, names).policy };
  }

  /** Of the user's own file. A project's would hold in its folder only. */
  function usersPolicy(): NamedPolicy | null {
    const { file, policy: node } = loadUserConfig({ home: swarmHome(), env });
    if (node === null) return null;
    const { policy: loaded } = loadPolicy([{ file, project: null, node }], names);
    return loaded === null ? null : { name: file, policy: loaded };
  }
}
