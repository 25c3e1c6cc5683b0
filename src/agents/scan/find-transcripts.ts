import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { AgentPlace, TranscriptFile, TranscriptReader } from "./transcripts/reader.ts";
import type { ScannedAgent } from "../port/agents.ts";

export interface FoundTranscripts {
  /** Where they were looked for. */
  readonly folders: readonly string[];
  readonly files: readonly TranscriptFile[];
  /** Links, pipes and the like that are named as a transcript is: they are not followed. */
  readonly notFiles: number;
  /** Folders that could not be looked into. */
  readonly unread: readonly { readonly file: string; readonly problem: string }[];
}

/** An agent's own folders are a handful of levels deep; a deeper tree is none it has made. */
const maxDepth = 12;

/** The transcripts of one agent. Its folder may be a link, as people keep theirs elsewhere; nothing below it is followed. */
export function findTranscripts(
  agent: ScannedAgent,
  reader: TranscriptReader,
  place: AgentPlace,
): FoundTranscripts {
  const files: TranscriptFile[] = [];
  const unread: { file: string; problem: string }[] = [];
  let notFiles = 0;

  const look = (folder: string, below: string, depth: number): void => {
    for (const entry of entriesOf(join(folder, below), unread)) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < maxDepth) look(folder, path, depth + 1);
      } else if (reader.isTranscript(path)) {
        const stats = entry.isFile() ? lstatSync(join(folder, path), { throwIfNoEntry: false }) : undefined;
        if (stats === undefined) notFiles += 1;
        else {
          const whole = join(folder, path);
          files.push({ agent, folder, path: whole, size: stats.size, modifiedMs: lastWritten(whole, stats) });
        }
      }
    }
  };
  const folders = reader.folders(place);
  for (const folder of new Set(folders.flatMap((named) => realFolder(named) ?? []))) look(folder, "", 0);
  return { folders, files, notFiles, unread };
}

/** What was last written to a database in use may still be in its log alone. */
function lastWritten(path: string, { mtimeMs }: Stats): number {
  const log = path.endsWith(".db") ? lstatSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined;
  return Math.max(mtimeMs, log?.mtimeMs ?? 0);
}

function realFolder(folder: string): string | null {
  try {
    return realpathSync.native(folder);
  } catch {
    return null; // the agent is not used here
  }
}

function entriesOf(folder: string, unread: { file: string; problem: string }[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    unread.push({ file: folder, problem: (error as Error).message });
    return [];
  }
}
