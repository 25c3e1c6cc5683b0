import { daemonTables } from "./tables/daemon.ts";
import { mailTables } from "./tables/mail.ts";
import { operationsTables } from "./tables/operations.ts";
import { policyTables } from "./tables/policy.ts";
import { recordTables } from "./tables/record.ts";
import { searchTables } from "./tables/search.ts";
import { swarmTables } from "./tables/swarm.ts";
import { webhooksTables } from "./tables/webhooks.ts";

/** What makes a database of each version one of the next; the first makes version 1. Forward only: one that was released never changes. */
export const migrations: readonly string[] = [
  [recordTables, policyTables, webhooksTables, daemonTables, operationsTables].join("\n"),
  swarmTables,
  searchTables,
  mailTables,
];
