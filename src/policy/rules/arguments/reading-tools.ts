import type { Action } from "../action.ts";
import { comparedName } from "./read-arguments.ts";
import { words } from "../../shell/programs/words.ts";

/** Tools of the reference file server of MCP that write nothing, which other servers have under the same names. */
const readers = words(`
  read_file read_text_file read_media_file read_multiple_files get_file_info list_directory
  list_directory_with_sizes directory_tree search_files list_allowed_directories`);

/** Arguments they have there, and such as say how much is read. With any other one it may be told to write. */
const readArguments = new Set([
  ...["path", "paths", "filepath", "pattern", "patterns", "excludepatterns", "sortby", "head", "tail"],
  ...["offset", "limit", "startline", "endline", "encoding", "recursive", "depth"],
]);

/**
 * Whether a tool is known to only read. A verb in a name proves nothing: `search_replace`, `get_or_create`. A server that
 * calls something `read_file` and writes could do so whatever its arguments say, so that names of tools are no way for an
 * agent to get around a rule.
 */
export function readsOnly({ kind, input }: Action): boolean {
  if (kind === "read" || kind === "search" || kind === "fetch") return true;
  const tool = kind?.startsWith("mcp:") === true ? kind.slice(kind.lastIndexOf("/") + 1) : null;
  if (tool === null || !readers.has(tool)) return false;
  return Object.keys(input).every((name) => readArguments.has(comparedName(name)));
}
