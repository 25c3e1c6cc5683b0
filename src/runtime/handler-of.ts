import { dirname, join } from "node:path";
import { SwarmError } from "../base/errors.ts";
import type { Config, HookConfig } from "../config/hook-config.ts";
import { commandHandler } from "../handlers/command/command-handler.ts";
import { httpHandler } from "../handlers/http/http-handler.ts";
import type { Outbound } from "../net/outbound.ts";
import type { HandlerFunction } from "../ports/handler.ts";

/** The function that does what a configured hook says, whatever its kind. */
export function handlerOf(
  hook: HookConfig,
  { sandbox }: Config,
  home: string,
  env: NodeJS.ProcessEnv,
  outbound: Outbound,
): HandlerFunction {
  const { action, name, dialect, nativeEvent, timeoutMs } = hook;
  switch (action.kind) {
    case "command":
    case "script":
    case "blocking_script": {
      const { kind, argv, line, pluginRoot } = action;
      const isClaudeShaped = dialect === "claude";
      const baseFolder = dirname(hook.source.file);
      const projectFolder = baseFolder === home ? null : baseFolder;
      const folders = { pluginRoot, baseFolder, projectFolder, spillFolder: join(home, "spill") };
      return commandHandler(
        { name, kind, isClaudeShaped, nativeEvent, argv, line, timeoutMs, sandbox, ...folders },
        env,
      );
    }
    case "http": {
      const { url, headers, secret, allowPrivate } = action;
      const isClaudeShaped = dialect === "claude";
      return httpHandler({ name, isClaudeShaped, nativeEvent, url, headers, secret, allowPrivate }, outbound);
    }
    // A guard of a kind that cannot run must not look like one that has nothing to say: it fails, each time.
    case "webhook":
    case "mcp_tool":
      return () => {
        throw new SwarmError("SWARM_KIND_UNAVAILABLE", { hook: name, kind: action.kind });
      };
  }
}
