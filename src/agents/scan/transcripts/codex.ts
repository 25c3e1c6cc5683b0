import { join } from "node:path";
import { unpackedChunksOf } from "../read/unpack.ts";
import {
  claudeHookCall,
  folderOf,
  isObject,
  type Json,
  jsonLines,
  objectOf,
  type RecordedCall,
  type TranscriptReader,
  textOf,
  timeOf,
} from "./reader.ts";

/** `sessions/2026/11/16/rollout-<time>-<thread>.jsonl`: seen in 0.53.0 and 0.166.0, which may also pack old ones. */
export const codex: TranscriptReader = {
  folders: ({ home, agentHome }) => {
    const folder = agentHome ?? join(home, ".codex");
    return [join(folder, "sessions"), join(folder, "archived_sessions")];
  },
  isTranscript: (path) => /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/.test(path),
  records: (file, reading) =>
    file.path.endsWith(".zst")
      ? jsonLines(file, reading, unpackedChunksOf(file.path, reading.onRead))
      : jsonLines(file, reading),
  open() {
    let session: string | null = null;
    let subagent: string | null = null;
    let cwd: string | null = null;
    return function* callsIn(record) {
      const payload = objectOf(record.payload);
      if (record.type === "session_meta" || record.type === "turn_context")
        cwd = folderOf(payload.cwd) ?? cwd;
      // A fork has those of the sessions it goes on from after its own.
      if (record.type === "session_meta" && session === null) {
        session = textOf(payload.session_id) ?? textOf(payload.id);
        const isSubagent =
          payload.thread_source === "subagent" || isObject(objectOf(payload.source).subagent);
        subagent = isSubagent ? textOf(payload.id) : null;
      }
      if (record.type !== "response_item") return;
      const call = callOf(payload);
      if (call !== null) {
        yield { session: session ?? "", subagent, cwd, timeMs: timeOf(record.timestamp), ...call };
      }
    };
  },
  hookCall: claudeHookCall,
};

type Call = Pick<RecordedCall, "id" | "tool" | "input">;

function callOf({ type, name, namespace, call_id, ...rest }: Json): Call | null {
  const [id, tool] = [textOf(call_id), textOf(name)];
  switch (type) {
    case "function_call":
      return tool === null
        ? null
        : { id, tool: namespaced(tool, namespace), input: argumentsOf(rest.arguments) };
    case "custom_tool_call":
      return tool === null ? null : { id, tool, input: { input: rest.input } };
    case "local_shell_call": {
      const { command, working_directory: workdir } = objectOf(rest.action);
      return { id, tool: "local_shell", input: { command, ...(workdir === undefined ? {} : { workdir }) } };
    }
    default:
      return null;
  }
}

/** Tools of servers are offered in groups; other groups are its own. */
function namespaced(tool: string, namespace: unknown): string {
  const isServer = typeof namespace === "string" && namespace.startsWith("mcp__");
  return isServer ? `${namespace.replace(/__$/, "")}__${tool}` : tool;
}

/** A text, as the model wrote it. */
function argumentsOf(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return { arguments: text }; // the model wrote no JSON: whatever it is, it is judged
  }
}
