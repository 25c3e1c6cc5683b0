import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { chunksOf } from "../read/chunks.ts";
import { jsonItemsOf } from "../read/json-items.ts";
import {
  claudeHookCall,
  folderOf,
  type Json,
  jsonLines,
  maxRecordBytes,
  objectOf,
  objectsOf,
  parsed,
  type Reading,
  type TranscriptFile,
  type TranscriptReader,
  textOf,
  timeOf,
} from "./reader.ts";

/**
 * `tmp/<project>/chats/session-….jsonl`, and beside it `<session>/<subagent>.jsonl`: seen in 0.61.0. A message is written
 * again when its calls are done, so one call stands there twice. Older releases, 0.25.0 among them, wrote one object
 * whose `messages` are the same.
 */
export const geminiCli: TranscriptReader = {
  folders: ({ home, agentHome }) => [join(agentHome ?? join(home, ".gemini"), "tmp")],
  isTranscript: (path) => /(?:^|\/)chats\/(?:.*\/)?[^/]+\.jsonl?$/.test(path),
  records: (file, reading) =>
    file.path.endsWith(".jsonl") ? jsonLines(file, reading) : fields(file, reading),
  open(file) {
    const parent = sessionAbove(file.path);
    let own: string | null = null;
    let cwd = projectOf(file);
    return function* callsIn(record) {
      own ??= textOf(record.sessionId);
      cwd ??= folderOf([record.directories].flat()[0]);
      const messages = [record, ...objectsOf(objectOf(record.$set).messages)];
      for (const call of messages.flatMap(({ toolCalls }) => objectsOf(toolCalls))) {
        const tool = textOf(call.name);
        if (tool === null) continue;
        yield {
          session: parent ?? own ?? "",
          subagent: parent === null ? null : own,
          cwd,
          timeMs: timeOf(call.timestamp),
          id: textOf(call.id),
          tool,
          input: call.args,
        };
      }
    };
  },
  hookCall(call) {
    const { payload, env } = claudeHookCall(call);
    return { payload: { ...payload, hook_event_name: "BeforeTool" }, env };
  },
};

function* fields({ path }: TranscriptFile, reading: Reading): Generator<Json> {
  const chunks = chunksOf(path, reading.onRead);
  for (const item of jsonItemsOf(chunks, "messages", maxRecordBytes, reading.onTooLong)) {
    yield* parsed(item, reading);
  }
}

/** A subagent's file is in a folder named for the session it belongs to. */
function sessionAbove(path: string): string | null {
  const folder = basename(dirname(path));
  return folder === "chats" ? null : folder;
}

/** It says in a file of its own which project a folder of `tmp` is for; old releases only had a hash of it. */
function projectOf({ path, folder }: TranscriptFile): string | null {
  const [project = ""] = path.slice(folder.length + 1).split("/");
  try {
    return folderOf(readFileSync(join(folder, project, ".project_root"), "utf8").trim());
  } catch {
    return null;
  }
}
