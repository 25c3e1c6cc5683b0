import { join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import { claudeFields } from "../claude-fields.ts";
import { claudeCode } from "./adapter.ts";
import { readClaude } from "./reader.cases.ts";

adapterCases({
  adapter: claudeCode,
  fixtures: join(import.meta.dirname, "fixtures"),
  env: ({ payload: { session_id } }) => ({
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: String(session_id),
    CLAUDE_PROJECT_DIR: "/workspace/project",
  }),
  fieldsOf: ({ event }) => claudeFields(event),
  toolEvent: "PreToolUse",
  repeated: ["Stop", "SubagentStop", "PermissionRequest", "PreCompact", "SessionStart", "SessionEnd"],
  read: readClaude,
  settings: { lists: "groups", moved: { CLAUDE_CONFIG_DIR: "/moved" } },
});
