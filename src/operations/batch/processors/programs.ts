import { extname, join } from "node:path";

const ownExtension = extname(import.meta.filename);
const pythonFolder = join(import.meta.dirname, "..", "..", "..", "..", "python");

/**
 * Our worker under this Node: the source, or what was built of it. `module`: what it will be told to import; `flags`: more
 * for Node.
 */
export function nodeArgv(module = "", flags: readonly string[] = []): readonly [string, ...string[]] {
  const worker = join(import.meta.dirname, `node-worker${ownExtension}`);
  const needsTypes = process.features.typescript === false && /\.[cm]?ts$/.test(`${module}${ownExtension}`);
  return [
    process.execPath,
    // To look for packages from the working directory, not from ours.
    "--experimental-import-meta-resolve",
    // Before 22.18 Node strips types only when asked to.
    ...(needsTypes ? ["--experimental-strip-types"] : []),
    "--disable-warning=ExperimentalWarning",
    ...flags,
    worker,
  ];
}

/** One of our Python programs. `-u`: what a function prints before it ends its process is seen. */
export function pythonArgv(python: string, program: string): readonly [string, ...string[]] {
  return [python, "-u", join(pythonFolder, program)];
}
