import { delimiter, join } from "node:path";
import { refusalTexts } from "../../adapters/refuse-unread.ts";
import { recordedEnvironment } from "../client-environment.ts";
import type { ClientPlace } from "../client-place.ts";
import { prebuiltClient } from "../prebuilt-client.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";

/** Where the client of this home belongs, and what it is made with. */
export function clientPlace(home = swarmHome()): ClientPlace {
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const cli = join(import.meta.dirname, "..", "..", "..", "..", "bin", "swarm");
  const environment = recordedEnvironment(process.env, home);
  const prebuilt = prebuiltClient();
  return { home, node: process.execPath, cli, prebuilt, path, environment, refusals: refusalTexts() };
}
