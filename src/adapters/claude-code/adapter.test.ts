import { join } from "node:path";
import { adapterCases } from "../../ports/adapter.cases.ts";
import { claudeCode } from "./adapter.ts";
import { readClaude } from "./reader.cases.ts";

adapterCases({
  adapter: claudeCode,
  fixtures: join(import.meta.dirname, "fixtures"),
  env: ({ session_id }) => ({
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: String(session_id),
    CLAUDE_PROJECT_DIR: "/workspace/project",
  }),
  read: readClaude,
});
