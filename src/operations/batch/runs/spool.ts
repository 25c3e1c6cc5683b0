import { constants, createWriteStream } from "node:fs";
import { copyFile, link, mkdir, open, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SwarmError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";

/** Records on their way to a run's folder. */
export interface Spooled {
  readonly isGzip: boolean;
  /** What they are called there. */
  readonly name: string;
  /** Moves them there, into a folder that is made if need be. */
  moveTo(file: string): Promise<void>;
  /** Wherever they are. */
  discard(): Promise<void>;
}

/** Where records are written until they are whole: what a crash leaves here belongs to nobody. */
export function incomingFolder(home: string): string {
  return join(home, "batch", ".incoming");
}

/**
 * Writes records to a file as fast as the disk takes them, whole or not at all: a run can be taken up again only from
 * records that are still there.
 */
export async function spool(
  records: AsyncIterable<Uint8Array>,
  home: string,
  limitBytes: number,
): Promise<Spooled> {
  const folder = incomingFolder(home);
  const file = join(folder, newId("up"));
  const discard = () => rm(file, { force: true });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const target = createWriteStream(file, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(Readable.from(counted(records, limitBytes), { objectMode: false }), target);
  } catch (error) {
    await discard().catch(() => undefined); // what went wrong first is what is told
    if (error instanceof SwarmError) throw error;
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_BATCH_FOLDER_FAILED", { folder, problem }, { cause: error });
  }
  return arrived(file, await isGzipFile(file));
}

function arrived(file: string, isGzip: boolean): Spooled {
  let at = file;
  /** Made for them, and so removed with them. */
  let ownFolder: string | null = null;
  return {
    isGzip,
    name: isGzip ? "input.jsonl.gz" : "input.jsonl",
    async moveTo(target) {
      const folder = dirname(target);
      try {
        const made = await mkdir(folder, { recursive: true, mode: 0o700 });
        if (made !== undefined) ownFolder = folder;
        await moveFile(file, target);
        at = target;
      } catch (error) {
        const { code, syscall } = error as NodeJS.ErrnoException;
        if (code === "EEXIST" && syscall !== "mkdir")
          throw new SwarmError("SWARM_BATCH_FOLDER_TAKEN", { folder, file: basename(target) });
        const problem = (error as Error).message;
        throw new SwarmError("SWARM_BATCH_FOLDER_FAILED", { folder, problem }, { cause: error });
      }
    },
    async discard() {
      await rm(at, { force: true });
      if (ownFolder !== null) await rmdir(ownFolder).catch(() => undefined); // there is more in it
    },
  };
}

async function* counted(records: AsyncIterable<Uint8Array>, limitBytes: number) {
  let bytes = 0;
  try {
    for await (const chunk of records) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw new SwarmError("SWARM_BODY_TOO_LARGE", { limitBytes });
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_BATCH_UPLOAD_BROKEN", { problem }, { cause: error });
  }
}

/** Never over a file that is there: a rename would. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!unlinkable.includes(code)) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
  await rm(from, { force: true });
}

/** Another disk, or one that has no second names for files. */
const unlinkable = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"];

/** By its first two bytes, whatever it is called. It throws where there is no file to read. */
export async function isGzipFile(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${basename(file)} is not a file, expected one`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
