import type { Log } from "../base/log.ts";
import type { RuntimeOptions } from "../daemon/runtime/options.ts";
import { oneLine } from "../base/show.ts";
import type { Runtime } from "../daemon/runtime/runtime.ts";
import { jsonLine } from "./json.ts";
import { printError } from "./print.ts";
import { swarmHome } from "./swarm-home.ts";

interface LocalOptions extends Pick<RuntimeOptions, "callsWebhooks"> {
  /** Default: to stderr. */
  readonly debug?: NonNullable<Log["debug"]>;
}

/** The hooks in force in this folder, without a daemon. */
export async function openLocalRuntime(
  env: NodeJS.ProcessEnv = process.env,
  { debug = printDebug, ...options }: LocalOptions = {},
): Promise<Runtime> {
  // Loaded when it is needed: with a daemon it is not, and that is half of a short command's time.
  const { openRuntime } = await import("../daemon/runtime/runtime.ts");
  // Failures are shown with the outcome; a warning beside it would say everything twice.
  const log = { warn: () => undefined, debug };
  return openRuntime({ home: swarmHome(), cwd: process.cwd(), env, log, ...options });
}

function printDebug(message: string, fields: unknown): void {
  printError(`${oneLine(message)} ${jsonLine(fields)}`);
}
