import { folderVariables } from "../folder-variables.ts";
import { asPattern } from "../files/command-files.ts";
import { hasControls } from "../../shell/syntax/control-characters.ts";
import { marks, withoutMarks } from "../../shell/marks.ts";

/** What variables in a path stand for. */
export interface PathPlace {
  readonly cwd: string;
  readonly root: string | null;
  readonly home: string;
}

/** Nothing in it has a second meaning. */
const plain = /^[\w./@+,=-]+$/;

/**
 * The paths a text may stand for, depending on who reads it: as it is, as a `file:` address, with escapes decoded, with
 * Windows' separators, with variables and `~` replaced. Empty for an address of another machine.
 */
export function pathForms(text: string, place: PathPlace): readonly string[] {
  if (plain.test(text)) return [text];
  const forms = new Set<string>();
  for (const cleaned of cleanForms(withoutMarks(text))) {
    for (const named of addressForms(cleaned)) {
      for (const separated of separatorForms(named)) {
        const path = fromHome(withVariables(separated, place), place.home);
        forms.add(path);
        if (/[*?]/.test(path)) forms.add(asPattern(path));
      }
    }
  }
  return [...forms];
}

/** Tools cut off blanks and quotes around a name, and a C library ends it at a NUL. */
function cleanForms(text: string): Set<string> {
  const trimmed = text.trim();
  const forms = new Set([trimmed]);
  if (hasControls(trimmed) || trimmed.includes("\n")) {
    forms.add(trimmed.slice(0, trimmed.search(endOfName)).trim());
    forms.add(trimmed.replaceAll(dropped, "").trim());
  }
  const [, quoted] = /^(["'`])(.+)\1$/s.exec(trimmed) ?? [];
  if (quoted !== undefined) forms.add(trimmed.slice(1, -1));
  return forms;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL ends a name.
const endOfName = /[\u0000\r\n]|$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are dropped by programs that show a name.
const dropped = /[\u0000-\u001F\u007F-\u009F]/g;

/** Schemes of what is on another machine, or no file at all. */
const elsewhere = new Set([
  ...["http", "https", "ws", "wss", "ftp", "ftps", "sftp", "ssh", "git", "git+ssh", "git+https", "s3", "gs"],
  ...["data", "mailto", "tel", "docker", "oci", "postgres", "postgresql", "mysql", "redis", "rediss", "amqp"],
  ...["mongodb", "mongodb+srv", "grpc", "ldap", "about", "javascript"],
]);

/** Two letters at least: one is a drive's. */
const scheme = /^([A-Za-z][\w+.-]+):(?=[/\\]|[A-Za-z][\w+.-]+:[/\\])|^file:/i;

/** `file:///x`, `FILE:/x`, `file://localhost/x`, `vscode://file/x`, and `view-source:` before any of them. */
function addressForms(text: string): readonly string[] {
  let rest = text;
  let isAddress = false;
  for (let schemes = 0; schemes < 4; schemes++) {
    const [whole = "", name] = scheme.exec(rest) ?? [];
    if (whole === "") break;
    if (elsewhere.has((name ?? "file").toLowerCase())) return [];
    isAddress = true;
    rest = rest.slice(whole.length);
  }
  if (!isAddress) {
    // `x.ts:10:2` is a place in x.ts.
    const forms = [rest, ...(/:\d+$/.test(rest) ? [rest.replace(/(?::\d+){1,2}$/, "")] : [])];
    return rest.includes("%") ? [...forms, decoded(rest)] : forms;
  }
  const path = rest.replace(/^[/\\]{2}(?=[^/\\])/, "").replace(/^[/\\]{2,}/, "/");
  // With a host in front of it, or without one where somebody has left out a slash.
  const hostless = rest.replace(/^[/\\]{2}[^/\\]*/, "") || path;
  const forms = [...new Set([path, hostless])].flatMap((form) => [form, form.replace(/[?#].*$/s, "")]);
  return forms.flatMap((form) => (form.includes("%") ? [form, decoded(form)] : [form]));
}

function decoded(text: string): string {
  // One by one: a single sequence that is no UTF-8 must not keep the others as they are.
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
    }
  });
}

/** `C:\x` is `/x`, `\\wsl$\Debian\x` too; on other systems a backslash is part of a name. */
function separatorForms(path: string): readonly string[] {
  const driveless = path.replace(/^\/?[A-Za-z]:(?=[/\\])/, "");
  if (!driveless.includes("\\")) return [driveless];
  const slashed = driveless.replaceAll("\\", "/");
  return [driveless, slashed.replace(/^\/{2}wsl(?:\$|\.localhost)\/[^/]+/i, "")];
}

const variable = /\$(?:env:)?\{?(?:env:)?([A-Za-z_]\w*)(?::?[-=+?][^}]*)?\}?|%([A-Za-z_]\w*)%/gi;

function withVariables(path: string, place: PathPlace): string {
  if (!/[$%]/.test(path)) return path;
  return path.replaceAll(variable, (whole, name?: string, windowsName?: string) => {
    // `%20` with a percent sign somewhere after it is no variable.
    if (windowsName !== undefined && !/^[A-Z_]\w*$/.test(windowsName)) return whole;
    return expandVariable(name ?? windowsName ?? "", place);
  });
}

function expandVariable(name: string, { cwd, root, home }: PathPlace): string {
  switch (name.toLowerCase()) {
    case "home":
    case "userprofile":
    case "userhome":
      return home;
    case "pwd":
    case "cwd":
      return cwd;
    case "claude_project_dir":
    case "gemini_project_dir":
    case "qwen_project_dir":
    case "cursor_project_dir":
    case "workspacefolder":
    case "workspaceroot":
      return root ?? cwd;
    default: {
      const folder = folders.get(name.toLowerCase());
      return folder === undefined ? marks.unknown : folder.replace("~", () => home);
    }
  }
}

const folders: ReadonlyMap<string, string> = new Map(
  Object.entries(folderVariables).map(([name, folder]) => [name.toLowerCase(), folder]),
);

/** `~`, `~/x`, and `~name/x` of whoever that is. */
function fromHome(path: string, home: string): string {
  const [whole = "", name = ""] = /^~([\w.-]*)(?=\/|$)/.exec(path) ?? [];
  if (whole === "") return path;
  const folder = home.slice(0, home.lastIndexOf("/"));
  return (
    (name === "" || home === `${folder}/${name}` ? home : `${folder}/${name}`) + path.slice(whole.length)
  );
}
