import { type PathPlace, pathForms } from "./path-forms.ts";
import { type ArgumentGroup, isFileContent, type NamedText, type ToolArguments } from "./read-arguments.ts";

/** Takes a path and the folder it is looked for in; whether there is room for another. */
export type AddPath = (path: string, from: string) => boolean;

/** So many folders are put before the names beside them. Real tools have one or two. */
const maxFolders = 8;

/**
 * Adds every text that may name a file, under whatever name it stands. A server takes a relative path from a folder of its
 * own: mostly the project's or the user's, or one that another argument names. False when there were more than were added.
 */
export function addPathsAnywhere({ groups }: ToolArguments, place: PathPlace, add: AddPath): boolean {
  const roots = [...new Set([place.cwd, place.root ?? place.cwd, place.home])];
  const foldersBy = new Map<ArgumentGroup, readonly string[]>();
  for (const group of groups) {
    const around = group.parent === null ? [] : (foldersBy.get(group.parent) ?? []);
    const folders = [...new Set([...ownFolders(group, place), ...around])];
    if (folders.length > maxFolders) return false;
    foldersBy.set(group, folders);
    const everywhere = [...roots, ...folders];
    for (const named of group.texts.flatMap(withParts)) {
      const from = mayBePath(named) ? everywhere : mayBeName(named) ? folders : [];
      if (from.length === 0) continue;
      for (const path of pathForms(named.text, place)) {
        const bases = path.startsWith("/") ? ["/"] : from;
        if (!bases.every((base) => add(path, base))) return false;
      }
    }
  }
  return true;
}

/** Lists and options in one text: `a,.claude/settings.json`, `--file=~/x`. What is said in sentences is left to people. */
function withParts(named: NamedText): readonly NamedText[] {
  const { name, text } = named;
  if (!/[,;:=\s]/.test(text) || text.length > 500 || text.includes("://")) return [named];
  if (forPeople.has(name) || isFileContent(name)) return [named];
  const parts = text.split(/[,;:=\s"'()]+/, 16).filter((part) => /^(?:~?\/|\.[\w-]+\/)./.test(part));
  return [named, ...parts.map((part) => ({ name, text: part }))];
}

/** Texts for people: most of them name no file, and one that is a file's name may speak of it only. */
const forPeople = new Set([
  ...["text", "body", "message", "description", "prompt", "title", "subject", "summary", "question", "query"],
  ...["reason", "comment", "thought", "note", "notes", "activeform", "html", "markdown", "css", "value"],
]);

const beginsAsPath =
  /^[\s"'`]*(?:[/\\]|~|\.{1,2}[/\\]|\.[\w-]+$|[A-Za-z]:[/\\]|file:|[\w+.-]+:\/\/|[$%]\{?\w)/i;

function mayBePath(named: NamedText): boolean {
  const { name, text } = named;
  if (isPathName(name)) return text !== "";
  return beginsAsPath.test(text) || (/[./\\]/.test(text) && mayBeName(named));
}

function mayBeName({ name, text }: NamedText): boolean {
  return text !== "" && !forPeople.has(name) && !isFileContent(name) && !/\S\s+\S/.test(text);
}

/** Names of arguments whose value is a path, whatever it looks like. */
export function isPathName(name: string): boolean {
  return pathName.test(name) || otherNames.has(name);
}

const pathName = /(?:path|file|filename|dir|directory|folder|uri|root)s?$|directories$/;

const otherNames = new Set([
  ...["source", "sources", "destination", "src", "dest", "dst", "target", "targets", "from", "to", "cwd"],
  ...["url", "location", "output", "out", "saveto", "saveas", "document"],
]);

/** Folders that an object's own values name. */
function ownFolders({ values }: ArgumentGroup, place: PathPlace): string[] {
  const folders: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== "string" || !(folderName.test(key) || /^\s*(?:\/|~|file:)/i.test(value))) continue;
    if (/\S\s*\n/.test(value)) continue;
    for (const form of pathForms(value, place)) {
      folders.push(form.startsWith("/") ? form : `${place.cwd}/${form}`);
    }
  }
  return folders;
}

const folderName = /(?:path|dir|directory|folder|root|base|parent|cwd|workspace|project|repo|location)$/i;
