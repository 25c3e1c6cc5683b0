/** Every bound on a plugin. Its folder is read before anybody has approved it. */
export const pluginLimits = {
  files: 2_000,
  fileBytes: 4 * 1024 * 1024,
  bytes: 16 * 1024 * 1024,
  /** Nesting of folders. */
  depth: 20,
  /** How long its module may take to load. */
  loadMs: 10_000,
  /** Lines of one file's changes that are shown. */
  diffLines: 200,
} as const;
