import { basename, dirname, join } from "node:path";
import { readBoundedFile } from "../../../base/bounded-file.ts";
import { databaseParts } from "../read/database-parts.ts";
import {
  folderOf,
  type Json,
  maxRecordBytes,
  objectOf,
  parsed,
  type Reading,
  type TranscriptFile,
  type TranscriptReader,
  textOf,
  timeOf,
} from "./reader.ts";

/**
 * A database, `opencode.db`: seen in 1.18.33. Older releases, 1.1.34 among them, wrote a file for each part of a message,
 * `storage/part/<message>/<part>.json`. The parts are the same objects.
 */
export const opencode: TranscriptReader = {
  folders: ({ home, env }) => [join(env.XDG_DATA_HOME || join(home, ".local/share"), "opencode")],
  isTranscript: (path) => /^opencode(?:-[\w.-]+)?\.db$|^storage\/part\/[^/]+\/[^/]+\.json$/.test(path),
  records: (file, reading) =>
    file.path.endsWith(".db") ? databaseParts(file.path, maxRecordBytes, reading) : part(file, reading),
  open: () =>
    function* callsIn({ type, tool, callID, state, sessionID, directory, parent, created }) {
      const name = textOf(tool);
      if (type !== "tool" || name === null) return;
      const { input, time } = objectOf(state);
      const session = textOf(sessionID) ?? "";
      const main = textOf(parent);
      yield {
        // A subagent has a session of its own, below the one it works for.
        session: main ?? session,
        subagent: main === null ? null : session,
        cwd: folderOf(directory),
        timeMs: timeOf(objectOf(time).start) ?? timeOf(created),
        id: textOf(callID),
        tool: name,
        input: input ?? {},
      };
    },
  hookCall: ({ session, cwd, id, tool, input }) => ({
    payload: {
      host: "opencode",
      hook_event_name: "tool.execute.before",
      ...(cwd === null ? {} : { cwd }),
      input: { tool, sessionID: session, callID: id ?? "" },
      output: { args: input },
    },
    env: {},
  }),
};

/** One file is one part; the folder it was made in stands with its message. */
function* part({ path, folder }: TranscriptFile, reading: Reading): Generator<Json> {
  const { bytes } = readBoundedFile(path, maxRecordBytes);
  reading.onRead(bytes.length);
  for (const found of parsed(bytes.toString("utf8"), reading)) {
    const message = `${textOf(found.sessionID)}/${basename(dirname(path))}.json`;
    yield found.type === "tool"
      ? { ...found, directory: folderIn(join(folder, "storage/message", message)) }
      : found;
  }
}

/** Null where the message is gone or cannot be read: its calls are still there. */
function folderIn(message: string): string | null {
  try {
    const { bytes } = readBoundedFile(message, maxRecordBytes);
    return folderOf(objectOf(objectOf(JSON.parse(bytes.toString("utf8"))).path).cwd);
  } catch {
    return null;
  }
}
