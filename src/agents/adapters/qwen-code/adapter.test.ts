import { join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import { claudeFields } from "../claude-fields.ts";
import { qwenCode } from "./adapter.ts";
import { readQwen } from "./reader.cases.ts";

adapterCases({
  adapter: qwenCode,
  fixtures: join(import.meta.dirname, "fixtures"),
  env: ({ payload: { session_id } }) => ({
    QWEN_CODE_SESSION_ID: String(session_id),
    QWEN_PROJECT_DIR: "/workspace/project",
    GEMINI_PROJECT_DIR: "/workspace/project",
    CLAUDE_PROJECT_DIR: "/workspace/project",
  }),
  fieldsOf: ({ event }) => claudeFields(event),
  toolEvent: "PreToolUse",
  // Each has its time.
  repeated: [],
  read: readQwen,
  settings: { lists: "groups", moved: { QWEN_HOME: "/moved" } },
});
