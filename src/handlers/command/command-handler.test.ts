import { handlerCases } from "../../engine/hooks/handler.cases.ts";
import { commandHandler } from "./command-handler.ts";

handlerCases("command", () => {
  const line = (text: string) =>
    commandHandler(
      {
        name: "it",
        kind: "command",
        isClaudeShaped: false,
        nativeEvent: "tool.before",
        argv: null,
        line: text,
        pluginRoot: null,
        baseFolder: "/",
        projectFolder: null,
        timeoutMs: 30_000,
        spillFolder: null,
        sandbox: "off",
      },
      process.env,
    );
  return {
    silent: line("cat > /dev/null"),
    allow: line(`echo '{"verdict": "allow"}'`),
    deny: line("echo no >&2; exit 2"),
    rewrite: line(`echo '{"rewrite": {"tool_input": {"command": "true"}}}'`),
    context: line("echo mind the gap"),
    fail: line("exit 1"),
    garbage: line(`echo '{"verdict": "block"}'`),
    hang: line("sleep 60"),
  };
});
