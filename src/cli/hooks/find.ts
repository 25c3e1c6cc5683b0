import { SwarmError } from "../../base/errors.ts";
import { suggest } from "../../base/suggest.ts";
import type { Client } from "../client.ts";
import { usage } from "../command.ts";

/** The id of the hook in force in this folder that a person named: by its id, or by its name, which may hold anything. */
export async function findHookId(
  client: Client,
  command: string,
  written: string | undefined,
): Promise<string> {
  if (written === undefined) throw usage(command, "an id or a name is missing");
  const { items } = await client.call("listHooks", { query: { cwd: process.cwd() } });
  const found = items.find(({ id, name }) => id === written || name === written);
  if (found !== undefined) return found.id;
  const suggestion = suggest(
    written,
    items.flatMap(({ id, name }) => [id, name]),
  );
  throw new SwarmError("SWARM_HOOK_UNKNOWN", { hook: written, suggestion });
}
