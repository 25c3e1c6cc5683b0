import { join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import { geminiCli } from "./adapter.ts";
import { geminiFields } from "./fields.ts";
import { readGemini } from "./reader.cases.ts";

adapterCases({
  adapter: geminiCli,
  fixtures: join(import.meta.dirname, "fixtures"),
  env: ({ payload: { session_id } }) => ({
    GEMINI_SESSION_ID: String(session_id),
    GEMINI_PROJECT_DIR: "/workspace/project",
    CLAUDE_PROJECT_DIR: "/workspace/project",
  }),
  fieldsOf: ({ event }) => geminiFields(event),
  ownFields: ["llm_request", "llm_response", "model", "request", "response", "input_tokens", "trigger"],
  toolEvent: "BeforeTool",
  // Each has its time.
  repeated: [],
  read: readGemini,
  settings: { lists: "groups", moved: { GEMINI_CLI_HOME: "/moved" } },
});
