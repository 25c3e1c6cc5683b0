import { createHash } from "node:crypto";
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";

/** A PDF that is there with its manifest. */
export interface KeptPdf {
  readonly id: string;
  readonly file: string;
  readonly manifest: Manifest;
  readonly manifest_bytes: number;
}

export interface KeptList {
  readonly items: readonly KeptPdf[];
  /** PDFs without a manifest, or of another length than it says: they prove nothing. */
  readonly unusable: number;
}

/** Names that can stand in a header as they are. */
const namePattern = /^\w[\w.-]{0,250}\.pdf$/;
const idChars = 24;

/** The PDFs of a folder. Each has an id that is made of its name: which names there are is asked of the folder alone. */
export class KeptPdfs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null for one that is not kept here. */
  idOf(file: string): string | null {
    const name = basename(file);
    return dirname(file) === this.#folder && namePattern.test(name) ? idOfName(name) : null;
  }

  /** Newest first. */
  list(limit: number): KeptList {
    const found = this.#names().flatMap((name) => {
      const stats = fileAt(join(this.#folder, name));
      return stats === null ? [] : [{ name, ms: stats.mtimeMs }];
    });
    const newest = found.sort((a, b) => b.ms - a.ms || (a.name < b.name ? 1 : -1)).slice(0, limit);
    const items = newest.flatMap(({ name }) => this.#read(name) ?? []);
    return { items, unusable: newest.length - items.length };
  }

  find(id: string): KeptPdf {
    const name = this.#names().find((each) => idOfName(each) === id);
    const found = name === undefined ? null : this.#read(name);
    if (found === null) throw new SwarmError("SWARM_PDF_UNKNOWN", { id });
    return found;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => namePattern.test(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  #read(name: string): KeptPdf | null {
    const file = join(this.#folder, name);
    const [pdf, beside] = [fileAt(file), fileAt(manifestName(file))];
    if (pdf === null || beside === null) return null;
    try {
      const manifest = readManifest(file);
      if (manifest.bytes !== pdf.size) return null;
      return { id: idOfName(name), file, manifest, manifest_bytes: beside.size };
    } catch (error) {
      if (error instanceof SwarmError) return null;
      throw error;
    }
  }
}

/** Names are longer than ids may be: of a run, by a job, they have two ids in them. */
function idOfName(name: string): string {
  return `pdf_${createHash("sha256").update(name).digest("hex").slice(0, idChars)}`;
}

/** A link could lead to any file of the user's. */
function fileAt(path: string): Stats | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats : null;
}
