import { join } from "node:path";
import {
  claudeHookCall,
  folderOf,
  jsonLines,
  objectOf,
  objectsOf,
  type TranscriptReader,
  textOf,
  timeOf,
} from "./reader.ts";

/** `projects/<folder>/<session>.jsonl`, and beside it `<session>/subagents/agent-<id>.jsonl`. Seen in 2.1.325. */
export const claudeCode: TranscriptReader = {
  folders: ({ home, env, agentHome }) => [
    join(agentHome ?? join(home, ".claude"), "projects"),
    // Where some releases of 2025 kept it.
    ...(env.CLAUDE_CONFIG_DIR ? [] : [join(home, ".config/claude/projects")]),
  ],
  isTranscript: (path) => path.endsWith(".jsonl"),
  records: jsonLines,
  // Every line says where and in which session it was.
  open: () =>
    function* callsIn({ type, message, sessionId, agentId, cwd, timestamp }) {
      if (type !== "assistant") return;
      for (const block of objectsOf(objectOf(message).content)) {
        const tool = textOf(block.name);
        if (block.type !== "tool_use" || tool === null) continue;
        yield {
          session: textOf(sessionId) ?? "",
          subagent: textOf(agentId),
          cwd: folderOf(cwd),
          timeMs: timeOf(timestamp),
          id: textOf(block.id),
          tool,
          input: block.input,
        };
      }
    },
  hookCall: claudeHookCall,
};
