import { join } from "node:path";
import { folderOf, jsonLines, objectOf, type TranscriptReader, textOf, timeOf } from "./reader.ts";

/** `session-state/<session>/events.jsonl`, subagents in the same file: seen in 1.0.102. In 0.0.389 also `<session>.jsonl`. */
export const copilot: TranscriptReader = {
  folders: ({ home, env, agentHome }) => [
    join(agentHome ?? join(home, ".copilot"), "session-state"),
    ...(env.XDG_STATE_HOME ? [join(env.XDG_STATE_HOME, ".copilot/session-state")] : []),
  ],
  isTranscript: (path) => /^(?:[^/]+\/events|[^/]+)\.jsonl$/.test(path),
  records: jsonLines,
  open() {
    let session: string | null = null;
    let cwd: string | null = null;
    return function* callsIn({ type, data, agentId, timestamp }) {
      const said = objectOf(data);
      if (type === "session.start" || type === "session.resume" || type === "session.context_changed") {
        session ??= textOf(said.sessionId);
        cwd = folderOf(objectOf(said.context).cwd) ?? folderOf(said.cwd) ?? cwd;
      }
      const tool = textOf(said.toolName);
      if (type !== "tool.execution_start" || tool === null) return;
      yield {
        session: session ?? "",
        subagent: textOf(agentId),
        cwd,
        timeMs: timeOf(timestamp),
        id: textOf(said.toolCallId),
        tool,
        input: said.arguments,
      };
    };
  },
  hookCall: ({ session, subagent, cwd, timeMs, tool, input }) => ({
    payload: {
      sessionId: session,
      ...(subagent === null ? {} : { agentId: subagent }),
      ...(cwd === null ? {} : { cwd }),
      ...(timeMs === null ? {} : { timestamp: timeMs }),
      toolName: tool,
      toolArgs: input,
    },
    env: { SWARM_NATIVE_EVENT: "preToolUse" },
  }),
};
