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

/** `projects/<folder>/chats/<session>.jsonl` and `projects/<folder>/subagents/<session>/agent-….jsonl`. Seen in 0.24.4. */
export const qwenCode: TranscriptReader = {
  folders: ({ home, env, agentHome }) => [
    join(env.QWEN_RUNTIME_DIR || (agentHome ?? join(home, ".qwen")), "projects"),
  ],
  isTranscript: (path) => /(?:^|\/)(?:chats|subagents)\/.*\.jsonl$/.test(path),
  records: jsonLines,
  // Every line says where and in which session it was.
  open: () =>
    function* callsIn({ type, message, sessionId, agentId, cwd, timestamp }) {
      if (type !== "assistant") return;
      for (const part of objectsOf(objectOf(message).parts)) {
        const call = objectOf(part.functionCall);
        const tool = textOf(call.name);
        if (tool === null) continue;
        yield {
          session: textOf(sessionId) ?? "",
          subagent: textOf(agentId),
          cwd: folderOf(cwd),
          timeMs: timeOf(timestamp),
          id: textOf(call.id),
          tool,
          input: call.args,
        };
      }
    },
  hookCall: claudeHookCall,
};
