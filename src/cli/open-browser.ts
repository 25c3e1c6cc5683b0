import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { isExecutable } from "../base/is-executable.ts";

/** Opens an address in the user's browser; false where there is none to open it in. */
export function openBrowser(address: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const program = openerIn(env);
  if (program === null) return false;
  // The link works once and for five minutes: another user of this machine who reads it off the process list comes second.
  const child = spawn(program, [address], { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
  return true;
}

function openerIn(env: NodeJS.ProcessEnv): string | null {
  const hasScreen =
    process.platform === "darwin" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
  if (env.BROWSER) return find(env.BROWSER, env);
  if (!hasScreen) return null;
  const names = process.platform === "darwin" ? ["open"] : ["wslview", "xdg-open"];
  return names.map((name) => find(name, env)).find((found) => found !== null) ?? null;
}

function find(program: string, env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? "").split(delimiter);
  const candidates = program.includes("/") ? [program] : folders.map((folder) => join(folder, program));
  return candidates.find(isExecutable) ?? null;
}
