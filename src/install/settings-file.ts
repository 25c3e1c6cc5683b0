import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { newId } from "../base/ids.ts";

/** What was done to one settings file, so that it can be undone. */
export interface Installation {
  readonly agent: string;
  readonly scope: string;
  readonly file: string;
  /** A copy of the file as it was; null when there was none. */
  readonly backup: string | null;
  /** Of the file as we left it: as long as it is the same, the copy can go back byte for byte. */
  readonly written_sha256: string;
  readonly time: string;
}

/** The text of a settings file; null when there is none. */
export function readSettings(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces the file at once, never half of it; a link stays a link to what it pointed to, the mode stays. */
export function writeSettings(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
  const made = join(dirname(file), `.${basename(file)}.${newId("new")}`);
  writeFileSync(made, text, { flag: "wx", mode, flush: true });
  chmodSync(made, mode);
  renameSync(made, file);
}

/** The installations of this `SWARM_HOME`, in one small file. */
export class Installations {
  readonly #home: string;
  readonly #file: string;

  constructor(home: string) {
    this.#home = home;
    this.#file = join(home, "installations.json");
  }

  list(): Installation[] {
    const text = readSettings(this.#file);
    return text === null ? [] : (JSON.parse(text) as Installation[]);
  }

  find(file: string): Installation | null {
    return this.list().find((known) => known.file === file) ?? null;
  }

  /** Keeps a copy of the file as it is now, unless one from before our first change is there. */
  note(agent: string, scope: string, file: string, before: string | null, text: string): Installation {
    const known = this.find(file);
    const isOurs = known !== null && before !== null && sha256(before) === known.written_sha256;
    const backup = isOurs ? known.backup : this.#copy(file, before);
    const time = new Date().toISOString();
    const noted = { agent, scope, file, backup, written_sha256: sha256(text), time };
    this.#save([...this.list().filter((other) => other.file !== file), noted]);
    return noted;
  }

  forget(installation: Installation): void {
    this.#save(this.list().filter((other) => other.file !== installation.file));
    if (installation.backup !== null) rmSync(installation.backup, { force: true });
  }

  #copy(file: string, text: string | null): string | null {
    if (text === null) return null;
    const folder = join(this.#home, "backups");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const copy = join(folder, `${basename(file)}.${newId("bak")}`);
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    return copy;
  }

  #save(all: readonly Installation[]): void {
    mkdirSync(this.#home, { recursive: true, mode: 0o700 });
    writeSettings(this.#file, `${JSON.stringify(all, null, 2)}\n`);
  }
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
