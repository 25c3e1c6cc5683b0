import { homedir } from "node:os";
import { clientPlace } from "../../agents/install/cli/client-place.ts";
import { applyPlan } from "../../agents/install/cli/run-install.ts";
import { makeClient } from "../../agents/install/client-program.ts";
import { planInstall } from "../../agents/install/install.ts";
import { SwarmError } from "../../base/errors.ts";
import { openLocalRuntime } from "../home.ts";
import type { FoundAgent } from "./find-agents.ts";
import { tilde } from "./step.ts";

/** One agent at a time: a settings file that cannot be read is no reason to leave the others unguarded. */
export async function installInto({ adapter, file }: FoundAgent, home: string): Promise<string> {
  const runtime = await openLocalRuntime();
  try {
    const { config } = runtime.projects.at();
    const folders = { home: homedir(), project: process.cwd(), env: process.env };
    const client = makeClient(clientPlace());
    const options = { home, scope: "user", folders, client, config, isMigrating: false } as const;
    const plan = planInstall([adapter], options);
    await applyPlan(runtime, plan, home);
    const [change] = plan.changes;
    const entries = adapter.settings.installed(change?.after ?? "", file).length;
    const did = change?.before === change?.after ? "as it should be already" : "installed";
    return `${did}, ${entries} entries in ${tilde(file)}`;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return `left alone: ${error.message}`;
  } finally {
    await runtime.close();
  }
}
