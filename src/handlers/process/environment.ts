/** What a program needs to find other programs, its user's files and its language; none of it can carry code. */
const passed = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TZ",
  "TMPDIR",
  "TERM",
  // The mark of the run we ourselves may be part of; a program started by us belongs to it too.
  "SWARM_RUN",
]);

/** Without these a Windows program does not find its own system libraries. */
const passedOnWindows = new Set([
  "APPDATA",
  "COMSPEC",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
]);

/**
 * The environment of a program we start: an allow-list of ours, then `extra`. A list of what to leave out would
 * always be one name short: LD_PRELOAD, NODE_OPTIONS, BASH_ENV, ENV, PYTHONSTARTUP and GIT_* each run code of whoever
 * set them, and any other name may hold a secret.
 */
export function hookEnvironment(
  source: NodeJS.ProcessEnv,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && isPassed(name)) environment[name] = value;
  }
  return Object.assign(environment, extra);
}

function isPassed(name: string): boolean {
  if (passed.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return process.platform === "win32" && passedOnWindows.has(name.toUpperCase());
}
