import { SwarmError } from "../../base/errors.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";

/** Approves a test's own project as it is; one without hooks, or with a broken file, has nothing to approve. */
export async function approveProject(runtime: Runtime, cwd?: string): Promise<void> {
  try {
    const project = await runtime.projects.refresh(cwd);
    await runtime.trust.approve(project, runtime.trust.show(project).digest, "human:test");
  } catch (error) {
    if (!(error instanceof SwarmError && /^SWARM_(TRUST_NOTHING|CONFIG_)/.test(error.code))) throw error;
  }
}
