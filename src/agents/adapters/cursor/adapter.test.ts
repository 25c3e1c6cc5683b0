import { join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import { cursor } from "./adapter.ts";
import { cursorFields } from "./fields.ts";
import { readCursor } from "./reader.cases.ts";

adapterCases({
  adapter: cursor,
  fixtures: join(import.meta.dirname, "fixtures"),
  env: () => ({ CURSOR_VERSION: "3.2.0", CLAUDE_PROJECT_DIR: "/workspace/project" }),
  fieldsOf: ({ nativeEvent }) => cursorFields(nativeEvent),
  required: [
    "cursor_version",
    "tool_output",
    "error_message",
    "command",
    "file_path",
    "output",
    "edits",
    "result_json",
  ],
  ownFields: ["duration", "workspace_roots", "subagent_type", "text", "task"],
  originOf: ({ session_id, cwd }) => ({ session: session_id, cwd: cwd || "/workspace/project" }),
  toolEvent: "preToolUse",
  repeated: ["preCompact", "afterAgentResponse", "beforeShellExecution", "beforeReadFile"],
  silence: "{}\n",
  read: readCursor,
  settings: { lists: "hooks", moved: null, root: { version: 1 } },
});
