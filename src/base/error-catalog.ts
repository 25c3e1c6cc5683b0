import { approvalErrors } from "./errors/approvals.ts";
import { batchRequestErrors } from "./errors/batch-request.ts";
import { batchRunErrors } from "./errors/batch-run.ts";
import { batchWorkerErrors } from "./errors/batch-worker.ts";
import { commandErrors } from "./errors/command.ts";
import { configErrors } from "./errors/config.ts";
import { cronErrors } from "./errors/cron.ts";
import { driftErrors } from "./errors/drift.ts";
import { engineErrors } from "./errors/engine.ts";
import { inferenceErrors } from "./errors/inference.ts";
import { mailErrors } from "./errors/mail.ts";
import { mcpErrors } from "./errors/mcp.ts";
import { outboundErrors } from "./errors/outbound.ts";
import { pipelineErrors } from "./errors/pipeline.ts";
import { pluginErrors } from "./errors/plugin.ts";
import type { ErrorRow } from "./errors/row.ts";
import { serverErrors } from "./errors/server.ts";
import { storeErrors } from "./errors/store.ts";
import { swarmErrors } from "./errors/swarm.ts";
import { trustErrors } from "./errors/trust.ts";
import { webhookErrors } from "./errors/webhook.ts";

/** One row per error; docs/errors.md is made from it. */
export const errorCatalog = {
  ...engineErrors,
  ...configErrors,
  ...commandErrors,
  ...outboundErrors,
  ...mcpErrors,
  ...pluginErrors,
  ...storeErrors,
  ...serverErrors,
  ...trustErrors,
  ...approvalErrors,
  ...webhookErrors,
  ...cronErrors,
  ...pipelineErrors,
  ...batchRunErrors,
  ...batchWorkerErrors,
  ...batchRequestErrors,
  ...driftErrors,
  ...inferenceErrors,
  ...swarmErrors,
  ...mailErrors,
} as const satisfies Record<string, ErrorRow<never>>;

export type ErrorCode = keyof typeof errorCatalog;

export type ErrorParams<C extends ErrorCode> = Parameters<(typeof errorCatalog)[C]["message"]>[0];
