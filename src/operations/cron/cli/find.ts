import { SwarmError } from "../../../base/errors.ts";
import { idPattern } from "../../../base/ids.ts";
import { suggest } from "../../../base/suggest.ts";
import type { Client } from "../../../cli/client.ts";
import { usage } from "../../../cli/command.ts";

/** The id of the job a person named: by its name, which may hold anything, or by its id. */
export async function findJobId(
  client: Client,
  command: string,
  written: string | undefined,
): Promise<string> {
  if (written === undefined) throw usage(command, "an id or a name is missing");
  const { items } = await client.call("listCronJobs", { query: { name: written } });
  const [named] = items;
  if (named !== undefined) return named.job_id;
  // The runs of a deleted job are still found by its id.
  if (/^cj_/.test(written) && idPattern.test(written)) return written;
  const { items: some } = await client.call("listCronJobs", { query: { limit: 1_000 } });
  const suggestion = suggest(
    written,
    some.map(({ name }) => name),
  );
  throw new SwarmError("SWARM_CRON_JOB_UNKNOWN", { job: written, suggestion });
}
