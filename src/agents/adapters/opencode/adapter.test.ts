import { join } from "node:path";
import { adapterCases } from "../../port/adapter.cases.ts";
import { opencode } from "./adapter.ts";
import { opencodeFields } from "./fields.ts";
import { readOpencode } from "./reader.cases.ts";

type Nested = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>>
>;

adapterCases({
  adapter: opencode,
  fixtures: join(import.meta.dirname, "fixtures"),
  // As one started in a shell of Claude Code has them.
  env: () => ({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "another" }),
  fieldsOf: ({ nativeEvent, event }) => opencodeFields(nativeEvent, event),
  required: ["host", "input", "output", "event", "parent_session"],
  ownFields: ["session_id", "tool_name", "message"],
  originOf: (payload) => {
    const { input, event } = payload as Nested;
    const { sessionID, info } = event?.properties ?? {};
    return { session: input?.sessionID ?? sessionID ?? info?.id, cwd: payload.cwd };
  },
  toolEvent: "tool.execute.before",
  repeated: ["experimental.session.compacting"],
  read: readOpencode,
  settings: { lists: "own file", moved: { XDG_CONFIG_HOME: "/moved" } },
});
