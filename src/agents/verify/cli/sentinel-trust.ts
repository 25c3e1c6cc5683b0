import { userInfo } from "node:os";
import { withClient } from "../../../cli/client.ts";

/**
 * Approves the hooks a verification has just written into a folder of its own, in the user's home, by the daemon if there
 * is one: the same decision as `swarm trust --yes` there, and recorded as such. Returns how to take it back.
 */
export async function approveSentinel(project: string): Promise<() => Promise<void>> {
  await withClient(async (client) => {
    const { digest } = await client.call("showTrust", { query: { cwd: project } });
    await client.call("approveTrust", { body: { cwd: project, digest } });
  });
  return async () => {
    await withClient((client) => client.call("revokeTrust", { body: { cwd: project } }));
  };
}

/** The same in a home that is the verification's own, before a daemon runs there; it goes with the home. */
export async function approveSentinelIn(home: string, project: string): Promise<void> {
  const { openRuntime } = await import("../../../daemon/runtime/runtime.ts");
  const log = { warn: () => undefined };
  const runtime = await openRuntime({ home, cwd: project, env: process.env, log });
  try {
    const found = runtime.projects.at();
    await runtime.trust.approve(found, runtime.trust.show(found).digest, `human:${userInfo().username}`);
  } finally {
    await runtime.close();
  }
}
