import { type AgentTools, builtInTools, readJoined } from "../agent-tools.ts";

/** OpenCode 1.18.33. MCP tools are `server_tool`, with `_` for every character but letters, digits, `_` and `-`. */
export const opencodeTools: AgentTools = {
  builtIn: builtInTools({
    shell: ["bash"],
    write: ["write"],
    edit: ["edit", "apply_patch", "multiedit", "patch"],
    read: ["read"],
    search: ["codesearch", "glob", "grep", "list"],
    fetch: ["webfetch", "websearch"],
    other: [
      "batch",
      "invalid",
      "lsp",
      "plan_enter",
      "plan_exit",
      "question",
      "skill",
      "task",
      "todoread",
      "todowrite",
    ],
  }),
  fromName: (name) => readJoined(name, "_"),
};
