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

/** Whether a variable of ours reaches the programs we start. */
export function isPassed(name: string): boolean {
  if (passed.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return process.platform === "win32" && passedOnWindows.has(name.toUpperCase());
}
