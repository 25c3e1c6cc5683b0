/** Bounds on what one hook may have approved and kept. Its files are read again whenever its configuration is. */
export const trustLimits = {
  fileBytes: 32 * 1024 * 1024,
  allBytes: 128 * 1024 * 1024,
  files: 1_000,
  /** Entries of folders that are looked at for the globs of one hook. */
  visited: 20_000,
} as const;
