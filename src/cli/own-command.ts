import { realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { shellQuoted } from "../base/shell-quote.ts";

/** How this program is started from a shell here: `swarm` where PATH leads to it, else by its files. */
export function ownCommand(env: NodeJS.ProcessEnv = process.env): string {
  const own = realPath(resolve(process.argv[1] ?? ""));
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  if (own !== null && folders.some((folder) => realPath(join(folder, "swarm")) === own)) return "swarm";
  return [process.execPath, own ?? "swarm"].map(quoted).join(" ");
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null; // not there
  }
}

function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : shellQuoted(word);
}
