/** Every bound on a configuration file. A project's file is read before anybody has approved it. */
export const configLimits = {
  fileBytes: 1024 * 1024,
  hooks: 1_000,
  servers: 100,
  rules: 2_000,
  /** Policies that use policies. */
  policyDepth: 8,
  cronJobs: 1_000,
  pipelines: 100,
  pipelineSteps: 100,
  /** Values of a file with its aliases written out; 1,000 hooks of 30 keys are 60,000. Nine lines of aliases can stand for billions. */
  nodes: 100_000,
  /** Nesting; the deepest of the shapes needs nine. */
  depth: 50,
  /** The deadline of a plugin's hook unless it sets its own, and the longest it may set. */
  pluginTimeoutMs: 10_000,
  maxPluginTimeoutMs: 60_000,
} as const;
