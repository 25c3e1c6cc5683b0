import { join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import { claudeFields } from "../claude-fields.ts";
import { codex } from "./adapter.ts";
import { readCodex } from "./reader.cases.ts";

adapterCases({
  adapter: codex,
  fixtures: join(import.meta.dirname, "fixtures"),
  // As one started in a shell of Claude Code has them.
  env: () => ({
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: "another",
    CLAUDE_PROJECT_DIR: "/workspace/project",
  }),
  fieldsOf: ({ event }) => claudeFields(event),
  toolEvent: "PreToolUse",
  repeated: ["Stop", "SubagentStop", "PermissionRequest", "PreCompact", "SessionStart", "SessionEnd"],
  read: readCodex,
  settings: { lists: "groups", moved: { CODEX_HOME: "/moved" } },
});
