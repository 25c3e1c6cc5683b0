import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Network } from "../../net/connect.ts";

export interface RuntimeOptions {
  /** `SWARM_HOME`. */
  readonly home: string;
  /** Where events come from that do not say. */
  readonly cwd: string;
  /** What hooks may see of it is up to the user's configuration. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly clock?: Clock;
  /** How hooks reach other machines; the machine's own network when left out. */
  readonly network?: Network;
  /** Whether webhooks are called at all; default true. */
  readonly callsWebhooks?: boolean;
  /** The one process that stays on this home: the daemon. */
  readonly isResident?: boolean;
  /** Whether the record is written in a thread of its own. */
  readonly isThreaded?: boolean;
}
