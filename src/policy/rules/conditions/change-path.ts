import { codeTexts } from "../detect/code-texts.ts";
import { changesFiles, onlyReads } from "../detect/only-reads.ts";
import type { Facts } from "../facts.ts";
import type { PathNames } from "../files/path-globs.ts";
import { ProtectedFiles } from "../files/protected-files.ts";
import { shown } from "../../shell/marks.ts";

/** Stands in a list of globs for the files that `swarm install` has put hooks into, wherever they are. */
const installedHooks = "$INSTALLED_HOOKS";

export function isGlob(value: string): boolean {
  return value !== installedHooks;
}

/**
 * Finds what an action may change of the files that globs name: the files, the folder they are in, and the folders above
 * that, as far as the globs name them. Every command counts that is not known to only read.
 */
export function compileChangePath(
  where: string,
  values: readonly string[],
  names: PathNames,
): (facts: Facts) => string | false {
  const globs = values.filter(isGlob);
  const named = new ProtectedFiles(where, globs, names);
  const hasInstalled = globs.length < values.length;
  return (facts) => {
    const { changed } = facts;
    const installed = hasInstalled && changed.length > 0 ? installedFiles(where, facts, names) : null;
    for (const files of installed === null ? [named] : [named, installed]) {
      const found = changed.find((path) => files.concerns(path, facts.root, facts.place.isFolder));
      if (found !== undefined) return shown(found.path.text);
    }
    return bySearch(facts, named) ?? inCode(facts, named);
  };
}

/** `find ~ -name settings.json -delete`: the folders it finds them in are not known. */
function bySearch({ line }: Facts, files: ProtectedFiles): string | null {
  for (const command of line?.commands ?? []) {
    const { program, args } = command;
    if ((program !== "find" && program !== "gfind") || onlyReads(command)) continue;
    const found = args.find((arg, at) => /^-i?name$/.test(args[at - 1] ?? "") && files.isNamed(arg));
    if (found !== undefined) return `${program} -name ${found}`;
  }
  return null;
}

/** What code does to a folder with all that is in it. */
const removes =
  /extract|unpack|untar|unzip|symlink|copytree|cp_r|cpSync|\bcwd\b[^\n]{0,40}\bfile\b|\bfile\b[^\n]{0,40}\bcwd\b|\brm|remov|delete|unlink|renam|\bmov|\bmv/i;

function inCode({ line }: Facts, files: ProtectedFiles): string | false {
  for (const command of line?.commands ?? []) {
    for (const code of codeTexts(command)) {
      const found = changesFiles(code) ? files.namedIn(code, removes.test(code)) : null;
      if (found !== null) return `${command.program} names ${found}`;
    }
  }
  return false;
}

/** Files beside an installed one that can take hooks away again, whatever the folder is called. */
const besides = ["settings*.json", "hooks.json", "*config.toml", "*config.json", "trustedFolders.json"];

let known: { readonly files: readonly string[]; readonly compiled: ProtectedFiles } | null = null;

function installedFiles(where: string, { place }: Facts, names: PathNames): ProtectedFiles | null {
  const files = place.installedFiles(names.swarmHome);
  if (files.length === 0) return null;
  if (known === null || known.files !== files) {
    const globs = files.filter((file) => !/[?[\](){}$\\!*]/.test(file));
    const folders = globs.map((file) => file.slice(0, file.lastIndexOf("/")));
    const around = folders.flatMap((folder) => besides.map((name) => `${folder}/${name}`));
    known = { files, compiled: new ProtectedFiles(where, [...globs, ...around], names) };
  }
  return known.compiled;
}
