import { chmodSync, copyFileSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { lockFile } from "../../base/file-lock.ts";
import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { Scope } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { readText, sha256, writeText } from "./edit-files.ts";
import type { NeedsByFile } from "./entry-needs.ts";

/** What was done to one settings file: how it can be undone, and what it has to be kept up to. */
export interface Installation {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  /** The folder whose settings these are; null for the user's own. */
  readonly project: string | null;
  /** A copy of the file as it was; null when there was none. */
  readonly backup: string | null;
  /** Whether the copy is the file without us, so that it can go back byte for byte. */
  readonly is_original: boolean;
  /** Of the file as we left it. */
  readonly written_sha256: string;
  readonly time: string;
  /** What the configuration files that count here asked of the entries when we last looked. */
  readonly needs: NeedsByFile;
  /** Where the user's own hooks have gone; null when they are where they were. */
  readonly moved: MovedHooks | null;
}

export interface MovedHooks {
  readonly time: string;
  readonly config: string;
  /** Copies of both files as they were; null for one that was not there. */
  readonly config_backup: string | null;
  readonly settings_backup: string | null;
}

/** A change of a settings file that is about to be made. */
export interface NotedChange extends Pick<Installation, "agent" | "scope" | "file" | "project" | "needs"> {
  readonly before: string | null;
  readonly after: string;
  /** Whether entries of ours are in the file already. */
  readonly hadOurs: boolean;
}

/** The installations of this `SWARM_HOME`, in one small file. */
export class Installations {
  readonly #home: string;
  readonly #file: string;
  /** Copies that are of no use if what they were made for does not happen, and those that are of none if it does. */
  #made: string[] = [];
  #superseded: string[] = [];

  constructor(home: string) {
    this.#home = home;
    this.#file = join(home, "installations.json");
  }

  list(): Installation[] {
    const text = readText(this.#file);
    if (text === null) return [];
    try {
      return (parseJson(text) as Installation[]).map((known) => ({ ...defaults, ...known }));
    } catch (error) {
      const problem = `it is not what we have written: ${(error as Error).message}`;
      throw new SwarmError("SWARM_SETTINGS_UNUSABLE", { file: this.#file, problem }, { cause: error });
    }
  }

  find(file: string): Installation | null {
    return this.list().find((known) => known.file === file) ?? null;
  }

  /** Keeps a copy of the file as it is now, unless nobody but us has written it since the last one. */
  note({ before, after, hadOurs, ...what }: NotedChange): void {
    const known = this.find(what.file);
    const isOurs = known !== null && before !== null && sha256(before) === known.written_sha256;
    const copy = isOurs
      ? { backup: known.backup, is_original: known.is_original }
      : { backup: this.copy(what.file, before), is_original: !hadOurs };
    if (!isOurs && known?.backup != null) this.#superseded.push(known.backup);
    const time = new Date().toISOString();
    const moved = known?.moved ?? null;
    this.#put({ ...what, ...copy, written_sha256: sha256(after), time, moved });
  }

  noteMoved(file: string, moved: MovedHooks): void {
    const known = this.find(file);
    if (known !== null) this.#put({ ...known, moved, is_original: false });
  }

  noteNeeds(known: Installation, needs: NeedsByFile): void {
    if (JSON.stringify(known.needs) !== JSON.stringify(needs)) this.#put({ ...known, needs });
  }

  /** Copies of files whose hooks were moved stay: nothing else has them as they were. */
  forget({ file, backup }: Installation): void {
    this.#save(this.list().filter((other) => other.file !== file));
    if (backup !== null) rmSync(backup, { force: true });
  }

  copy(file: string, text: string | null): string | null {
    if (text === null) return null;
    const folder = join(this.#home, "backups");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const copy = join(folder, `${basename(file)}.${newId("bak")}`);
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    this.#made.push(copy);
    return copy;
  }

  /** Does the work, or leaves the notes as they were. */
  orAsBefore(work: () => void): void {
    const before = readText(this.#file);
    let isDone = false;
    try {
      work();
      isDone = true;
    } finally {
      if (!isDone) writeText(this.#file, before);
      for (const copy of isDone ? this.#superseded : this.#made) rmSync(copy, { force: true });
    }
  }

  #put(noted: Installation): void {
    this.#save([...this.list().filter((other) => other.file !== noted.file), noted]);
  }

  #save(all: readonly Installation[]): void {
    mkdirSync(this.#home, { recursive: true, mode: 0o700 });
    writeText(this.#file, `${JSON.stringify(all, null, 2)}\n`);
  }
}

/** What a note of an earlier version does not say. */
const defaults = { project: null, is_original: true, needs: {}, moved: null } as const;

/** Only one process at a time changes settings and the notes of them. */
export function changingSettings<T>(home: string, waitMs: number, work: () => T): T {
  const file = join(home, "install.lock");
  const lock = lockFile(file, waitMs);
  if (lock === null) throw new SwarmError("SWARM_INSTALL_BUSY", { file });
  try {
    return work();
  } finally {
    lock.release();
  }
}
