import type { Pipeline } from "../operations/pipelines/port/pipeline.ts";
import { type DeclaredJob, readCronSection } from "./cron-section.ts";
import { isHookObject, readHookObject } from "./dialects/swarmx.ts";
import { readDocument } from "./document.ts";
import { type PlacedFields, readFields } from "./fields.ts";
import { flagNames, type SetFlags } from "./flags.ts";
import type { Config, HookConfig, ServerConfig, Skipped } from "./hook-config.ts";
import { readHooksSection } from "./hooks-section.ts";
import { identify } from "./identity.ts";
import { readInbound } from "./inbound.ts";
import type { ConfigFields } from "./config-field.ts";
import {
  approvalKeys,
  auditKeys,
  batchSectionKeys,
  envKeys,
  fileKeys,
  loggingKeys,
  retentionKeys,
} from "./keys.ts";
import { mergeHooks } from "./merge.ts";
import { type ConfigNode, invalid } from "./node.ts";
import { readPipelines } from "./pipelines-section.ts";
import { readPluginSettings } from "./plugin-settings.ts";
import { readServers } from "./read-servers.ts";
import type { Owner, Reading } from "./reading.ts";
import { type RedactSection, readRedact } from "./redact-section.ts";
import { mergeServers } from "./servers.ts";
import { expectConfiguration } from "./unquoted.ts";

export interface ParseOptions {
  readonly owner: Owner;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the user's file allows; that file brings its own. */
  readonly allowedVariables?: readonly string[];
}

/** What one file says. */
export interface ParsedFile extends Settings {
  readonly hooks: readonly HookConfig[];
  readonly servers: readonly ServerConfig[];
  readonly skipped: readonly Skipped[];
  /** What stands under `policy:`; read once all files are known. */
  readonly policy: ConfigNode | null;
  /** What stands under `policy_exceptions:`, the same way. */
  readonly policyExceptions: ConfigNode | null;
  /** Null: the file does not ask for secrets to be masked. */
  readonly redact: RedactSection | null;
  readonly cron: readonly DeclaredJob[];
  readonly pipelines: readonly Pipeline[];
}

type Settings = Pick<
  Config,
  | "logHooks"
  | "flags"
  | "sandbox"
  | "audit"
  | "batch"
  | "retention"
  | "approvals"
  | "inbound"
  | "allowedVariables"
  | "plugins"
> & {
  /** Whether agents' calls start the daemon. */
  readonly autoStart: boolean;
};

/** One file in any dialect, YAML or JSON. `file` is only named, never opened. */
export function parseConfigText(file: string, text: string, options: ParseOptions): ParsedFile {
  const { owner, env, allowedVariables = [] } = options;
  const reading: Reading = { file, owner, env, allowedVariables, skipped: [] };
  const root = readDocument(file, text);
  if (root === null || isHookObject(root)) {
    const hooks = root === null ? [] : identify(reading, readHookObject(reading, root));
    const nothing = {
      servers: [],
      skipped: [],
      cron: [],
      pipelines: [],
      policy: null,
      policyExceptions: null,
      redact: null,
    };
    return { ...readSettings(reading, {}), hooks, ...nothing };
  }
  expectConfiguration(file, root, fileKeys, "hooks or policy");
  const fields = readFields(file, root, "the file", fileKeys);
  const settings = readSettings(reading, fields);
  const own = { ...reading, allowedVariables: settings.allowedVariables };
  const drafts = fields.hooks === undefined ? [] : readHooksSection(own, fields.hooks.value);
  const servers = fields.mcp_servers === undefined ? [] : readServers(own, fields.mcp_servers.value);
  return {
    ...settings,
    hooks: mergeHooks([identify(own, drafts)]),
    servers: mergeServers([servers]),
    skipped: reading.skipped,
    cron: fields.cron === undefined ? [] : readCronSection(reading, fields.cron.value),
    pipelines: fields.pipelines === undefined ? [] : readPipelines(reading, fields.pipelines.value),
    policy: fields.policy?.value ?? null,
    policyExceptions: fields.policy_exceptions?.value ?? null,
    redact: fields.redact === undefined ? null : readRedact(reading, fields.redact),
  };
}

const fileTable: ConfigFields = fileKeys;

function readSettings(reading: Reading, fields: Partial<PlacedFields<typeof fileKeys>>): Settings {
  const { file, owner } = reading;
  for (const [key, field] of Object.entries(fields)) {
    if (field === undefined || owner === "user") continue;
    const isPlugins = owner !== "project";
    const { isUsers, isNoPlugins } = fileTable[key] ?? {};
    if (isUsers !== true && !(isPlugins && isNoPlugins === true)) continue;
    const rest = isPlugins
      ? "a plugin's file may only add hooks"
      : "a project's file may only add hooks and servers";
    throw invalid(file, field.keyAt, `${key} belongs in the user's config.yaml, ${rest}`);
  }
  const {
    logging,
    env,
    sandbox,
    auto_start: autoStart,
    audit,
    approvals,
    batch,
    retention,
    inbound,
  } = fields;
  const logs = logging === undefined ? undefined : readFields(file, logging.value, "logging", loggingKeys);
  const read = env === undefined ? undefined : readFields(file, env.value, "env", envKeys);
  const kept = audit === undefined ? undefined : readFields(file, audit.value, "audit", auditKeys);
  const asked =
    approvals === undefined ? undefined : readFields(file, approvals.value, "approvals", approvalKeys);
  const runs = batch === undefined ? undefined : readFields(file, batch.value, "batch", batchSectionKeys);
  const days =
    retention === undefined ? undefined : readFields(file, retention.value, "retention", retentionKeys);
  const allowedVariables = read?.allow?.value ?? reading.allowedVariables;
  return {
    logHooks: logs?.hooks?.value ?? "off",
    flags: readFlags(fields),
    sandbox: sandbox?.value ?? "off",
    autoStart: autoStart?.value ?? true,
    audit: {
      durability: kept?.durability?.value ?? "process",
      payloadRetentionDays: kept?.payload_retention_days?.value ?? 90,
    },
    approvals: {
      ttlMs: (asked?.ttl_s?.value ?? 3_600) * 1_000,
      waitMs: (asked?.wait_s?.value ?? 0) * 1_000,
      require: asked?.require?.value ?? "any",
    },
    batch: { uploadLimitBytes: (runs?.upload_limit_mb?.value ?? 10_240) * 1024 * 1024 },
    retention: {
      batch: days?.batch_days?.value ?? 365,
      pipeline: days?.pipeline_days?.value ?? 365,
      drift: days?.drift_days?.value ?? 365,
    },
    inbound: inbound === undefined ? [] : readInbound({ ...reading, allowedVariables }, inbound.value),
    allowedVariables,
    plugins: readPluginSettings(file, fields),
  };
}

function readFlags(fields: Partial<PlacedFields<typeof fileKeys>>): SetFlags {
  return Object.fromEntries(
    flagNames.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name].value]])),
  );
}
