import { SwarmError } from "../base/errors.ts";
import { show } from "../base/show.ts";
import { suggest } from "../base/suggest.ts";
import type { Skipped } from "./hook-config.ts";
import type { ConfigFields } from "./config-field.ts";
import { type ConfigNode, invalid, type MapNode } from "./node.ts";

/*
 * What an error may quote of a file. A project can make any file of it, and by a second name any file of the same user,
 * take the place of a configuration; the error then reaches the model and the record. So:
 *  - A file that is no map, or a map without a single known key, is not a configuration: nothing of it is quoted.
 *  - What the YAML parser refuses is said in fixed sentences with the place (`document.ts`).
 *  - A project's file that is a link, is reached by one, or has a second name, is used, and its errors say the place alone.
 *  - Any other file is plainly meant to be a configuration: an error quotes the wrong value, short and with secrets masked.
 */

const unquotedWords =
  "what stands here is not valid; it is not quoted, because the file is a link or has a second name (a hard link)";

const passedOverWords =
  "something was passed over that is not supported; it is not quoted, because the file is a link or has a second name";

/** The error with nothing but its place, where it is about a file that is not to be quoted. */
export function withoutQuotes(error: unknown, unquotable: ReadonlySet<string>): unknown {
  if (!(error instanceof SwarmError)) return error;
  const { file, line = 1, column = 1 } = error.params as { file?: string; line?: number; column?: number };
  const isQuoting = error.code === "SWARM_CONFIG_INVALID" || error.code === "SWARM_CONFIG_VARIABLE";
  if (!isQuoting || file === undefined || !unquotable.has(file)) return error;
  return invalid(file, { line, column }, unquotedWords);
}

/** The same for what was passed over in such a file. */
export function withoutReasons(notes: readonly Skipped[], unquotable: ReadonlySet<string>): Skipped[] {
  return notes.map((note) =>
    unquotable.has(note.source.file) ? { ...note, nativeEvent: "hooks", reason: passedOverWords } : note,
  );
}

/** Refuses what is not a configuration: a map with one of these keys, or with one that is nearly one. */
export function expectConfiguration(
  file: string,
  root: ConfigNode,
  keys: ConfigFields,
  examples: string,
): asserts root is MapNode {
  if (root.kind !== "map") throw invalid(file, root.at, `the file is ${kindOf(root)}, expected a map`);
  if (root.entries.length === 0) return;
  const known = Object.keys(keys);
  if (root.entries.some(({ key }) => known.includes(key) || (isWord(key) && suggest(key, known)))) return;
  throw invalid(file, root.at, `the file has no key that is known, expected one such as ${examples}`);
}

/** A key that is not known, where it is a word: then it is probably misspelt. */
export function showKey(key: string): string {
  return isWord(key) ? ` ${show(key)}` : "";
}

function isWord(key: string): boolean {
  return key.length <= 40 && /^(?:[A-Za-z_$][\w$.-]*|<<)$/.test(key);
}

function kindOf(node: ConfigNode): string {
  if (node.kind === "list") return "a list";
  return node.kind === "scalar" && typeof node.value === "string" ? "a text" : "a single value";
}
