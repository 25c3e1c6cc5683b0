import { host } from "./host.ts";

/**
 * The folders of an absolute path and its last part, without `.` and `..`; a relative one is taken from `cwd`. What
 * `resolve` of Node's `path` comes to, cut up, on any host. Windows' rules hold on Windows, and where `cwd` is a path of Windows.
 */
export function resolvePath(cwd: string, path: string): string[] {
  if (host?.platform === "win32" || isWindows(cwd)) return resolveOnWindows(cwd, path);
  const base = cwd.startsWith("/") ? cwd : `${workingDirectory()}/${cwd}`;
  const parts = resolved((path.startsWith("/") ? path : `${base}/${path}`).split("/"), 0);
  return parts.flatMap((part) => part.split("\\")).filter(isName);
}

/** Where the program runs; at the root where that means nothing. */
export function workingDirectory(): string {
  return host?.cwd?.() ?? "/";
}

function resolveOnWindows(cwd: string, path: string): string[] {
  const base = isWindows(cwd) ? cwd : `${workingDirectory()}\\${cwd}`;
  const [baseRoot, baseRest] = cutRoot(base);
  const [root, rest] = cutRoot(path);
  const isElsewhere = root !== "" && root.toLowerCase() !== baseRoot.toLowerCase();
  const isFromRoot = isElsewhere || /^[/\\]/.test(rest);
  const rootParts = namesOf(root === "" ? baseRoot : root);
  const names = namesOf(isFromRoot ? rest : `${baseRest}\\${rest}`);
  return resolved([...rootParts, ...names], rootParts.length);
}

/** `C:\a` is absolute, `C:a` is not. */
function isWindows(path: string): boolean {
  return /^([a-z]:[/\\]|[/\\]{2}[^/\\])/i.test(path);
}

/** A drive, or a server and what it shares. */
function cutRoot(path: string): [root: string, rest: string] {
  const [root = ""] = /^([a-z]:|[/\\]{2}[^/\\]+[/\\]+[^/\\]+)/i.exec(path) ?? [];
  return [root, path.slice(root.length)];
}

function namesOf(path: string): string[] {
  return path.split(/[/\\]/).filter(isName);
}

function isName(part: string): boolean {
  return part !== "" && part !== ".";
}

/** `..` leads no further up than the first `kept` parts. */
function resolved(parts: readonly string[], kept: number): string[] {
  const names: string[] = [];
  for (const part of parts) {
    if (part === "..") names.splice(Math.max(kept, names.length - 1));
    else if (isName(part)) names.push(part);
  }
  return names;
}
