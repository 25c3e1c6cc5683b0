import { basename, join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import type { Fixture } from "../../port/fixtures.cases.ts";
import { copilot } from "./adapter.ts";
import { copilotFields } from "./fields.ts";
import { readCopilot } from "./reader.cases.ts";

/** A recorded payload is in a file of its event's name; the spelling of the two is the same. */
const nativeOf = ({ name }: Fixture) => basename(name).split(".")[0];

adapterCases({
  adapter: copilot,
  fixtures: join(import.meta.dirname, "fixtures"),
  env: (fixture) => ({
    COPILOT_CLI: "1",
    COPILOT_HOOK_DIR: "/home/user/.copilot/hooks",
    CLAUDE_PROJECT_DIR: "/workspace/project",
    // Only entries of ours say it; Claude Code's settings have none.
    ...("sessionId" in fixture.payload ? { SWARM_NATIVE_EVENT: nativeOf(fixture) } : {}),
  }),
  nativeOf,
  fieldsOf: ({ nativeEvent, event }) => copilotFields(nativeEvent, event),
  required: [
    "sessionId",
    "session_id",
    "toolName",
    "toolArgs",
    "toolInput",
    "toolResult",
    "tool_result",
    "tool_input",
  ],
  ownFields: ["toolResult", "agentName", "agent_name", "stopReason", "response", "hookName"],
  originOf: ({ sessionId, session_id, cwd }) => ({ session: sessionId ?? session_id, cwd }),
  toolEvent: "preToolUse",
  // Each has its time.
  repeated: [],
  read: readCopilot,
  settings: { lists: "hooks", moved: { COPILOT_HOME: "/moved" }, root: { version: 1 } },
});
