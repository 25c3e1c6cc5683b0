import { marks } from "../../shell/marks.ts";
import type { ChangedPath } from "./changed-paths.ts";
import { fitsPattern } from "./fits-pattern.ts";
import { PathGlobs, type PathNames } from "./path-globs.ts";
import { PathText } from "./path-text.ts";

/** Files that globs name, with the folders they are in. */
export class ProtectedFiles {
  readonly #files: PathGlobs;
  readonly #others: PathGlobs;
  /** The folders the files are directly in. */
  readonly #folders: PathGlobs;
  /** Folders above those that the globs name, and where the protected ones are in them. */
  readonly #above: readonly { readonly globs: PathGlobs; readonly inner: readonly string[] }[];
  /** The last names of files and folders; hidden folders' names. */
  readonly #names: PathGlobs;
  readonly #hidden: readonly string[];
  readonly #inCode: readonly RegExp[];
  readonly #foldersInCode: readonly RegExp[];

  constructor(where: string, values: readonly string[], names: PathNames) {
    const globs = values.filter((value) => !value.startsWith("!"));
    const others = values.filter((value) => value.startsWith("!")).map((value) => value.slice(1));
    const folders = [...new Set(globs.flatMap((glob) => foldersOf(glob).slice(-1)))];
    const above = Map.groupBy(
      globs.flatMap((glob) =>
        foldersOf(glob)
          .slice(0, -1)
          .map((outer) => ({ outer, direct: foldersOf(glob).at(-1) ?? "" })),
      ),
      ({ outer }) => outer,
    );
    this.#files = new PathGlobs(where, globs, names, true);
    this.#others = new PathGlobs(where, others, names, false);
    this.#folders = new PathGlobs(where, folders, names, true);
    this.#above = [...above].map(([outer, pairs]) => ({
      globs: new PathGlobs(where, [outer], names, true),
      inner: [...new Set(pairs.map(({ direct }) => direct.slice(outer.length)))],
    }));
    const lastNames = [...globs, ...folders].map((glob) => glob.split("/").at(-1) ?? "");
    const distinct = [...new Set(lastNames.filter((name) => /^[^*$].*[A-Za-z]{3}/.test(name)))];
    this.#names = new PathGlobs(
      where,
      distinct.map((name) => `/**/${name}`),
      names,
      true,
    );
    this.#hidden = [...new Set(folders.flatMap((folder) => hiddenName(expanded(folder, names))))];
    this.#inCode = [...new Set(globs.map(codePattern))].map((pattern) => new RegExp(pattern, "i"));
    this.#foldersInCode = folders.map((folder) => new RegExp(`${codePattern(folder)}["'\`/]`, "i"));
  }

  /** Whether a change concerns the files. A folder above theirs counts where theirs is there. */
  concerns({ path, asFolder }: ChangedPath, root: PathText, isFolder: (path: string) => boolean): boolean {
    const isFolderOfThem = this.#folders.matches(path, root);
    if (isFolderOfThem) return asFolder !== "made";
    if (this.#files.matches(path, root)) return !(path.isPlain && this.#others.matches(path, root));
    if (asFolder !== "removed") return asFolder === "used" && this.#isAllOf(path, root);
    const isAbove = this.#above.some(
      ({ globs, inner }) =>
        globs.matches(path, root) && (!path.isPlain || inner.some((name) => isFolder(path.text + name))),
    );
    return isAbove || this.#isWholeOf(path, root);
  }

  /** `rm .claude/*` and `rm -rf .*`: a pattern that takes in more than one file by its name. */
  #isWholeOf({ text }: PathText, root: PathText): boolean {
    const [, folder, last] = /^(.*)\/([^/]*)$/.exec(text) ?? [];
    if (folder === undefined || last === undefined || !/[\uE001\uE002]/.test(last)) return false;
    if (this.#isAllOf({ text }, root)) return true;
    return this.#hidden.some(
      (name) => fitsPattern(last, name) && this.#folders.matches(new PathText(`${folder}/${name}`), root),
    );
  }

  /** `.claude/*` */
  #isAllOf({ text }: Pick<PathText, "text">, root: PathText): boolean {
    const [, folder] = /^(.*)\/[\uE001\uE002]+$/.exec(text) ?? [];
    return folder !== undefined && this.#folders.matches(new PathText(folder), root);
  }

  /** Whether a search by name is for one of the files, or for a folder they are in; `*.json` is for none in particular. */
  isNamed(name: string): boolean {
    if (/^[*?]+\.\w+$/.test(name)) return false;
    const path = new PathText(`/${name.replaceAll("*", marks.anyRun).replaceAll("?", marks.anyOne)}`);
    return this.#names.matches(path, path);
  }

  /** What code that changes files names, in one text or in parts: `join(home, ".gemini", "settings.json")`. */
  namedIn(code: string, isRemoving: boolean): string | null {
    for (const pattern of isRemoving ? [...this.#inCode, ...this.#foldersInCode] : this.#inCode) {
      const found = pattern.exec(code);
      if (found !== null) return found[0];
    }
    return null;
  }
}

/** The folders a glob names, from the outermost to the one its files are in. */
function foldersOf(glob: string): string[] {
  const segments = glob.split("/");
  const folders: string[] = [];
  for (let end = 1; end < segments.length; end++) {
    if (/[^*~]/.test(segments[end - 1] as string)) folders.push(segments.slice(0, end).join("/"));
  }
  return folders;
}

function expanded(glob: string, { swarmHome }: PathNames): string {
  return glob.replace(/^\$SWARM_HOME$/, () => swarmHome);
}

function hiddenName(folder: string): string[] {
  const last = folder.slice(folder.lastIndexOf("/") + 1);
  return /^\.[\w-]+$/.test(last) ? [last] : [];
}

/** What code has between two names of a path: `/`, or the quotes, commas and brackets of two texts. */
const between = "[\"'`\\s,)(+/\\\\]{1,12}";

function codePattern(glob: string): string {
  const names = glob.split("/").filter((name) => /[^*~]/.test(name));
  const patterns = names
    .slice(-3)
    .map((name) => name.replaceAll(/[.$+()[\]{}^|?\\]/g, "\\$&").replaceAll("*", "[\\w.-]{0,60}"));
  return `(?<![\\w.-])${patterns.join(between).replace(/^\\\$/, "")}`;
}
