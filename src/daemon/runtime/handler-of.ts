import { dirname, join } from "node:path";
import type { Config, HookConfig, ServerConfig, ShellSettings } from "../../config/hook-config.ts";
import { serversFor } from "../../config/servers.ts";
import { commandHandler } from "../../handlers/command/command-handler.ts";
import { httpHandler } from "../../handlers/http/http-handler.ts";
import { mcpToolHandler } from "../../handlers/mcp-tool/mcp-tool-handler.ts";
import type { ToolServer } from "../../handlers/mcp-tool/tool-server.ts";
import { redactHandler } from "../../handlers/redact/redact-handler.ts";
import { type Queue, webhookHandler } from "../../handlers/webhook/webhook-handler.ts";
import type { Outbound } from "../../net/outbound.ts";
import type { Judge } from "../../policy/rules/judge.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import type { PluginStore } from "../../policy/plugins/port/plugin-store.ts";
import { pluginProgram } from "../../policy/plugins/plugin-command.ts";
import { maySend } from "../../operations/webhooks/receivers.ts";

/** What handlers of every kind have in common. */
export interface HandlerParts {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly outbound: Outbound;
  /** Where webhooks' deliveries wait. */
  readonly queue: Queue;
  /** The server that stands for a declared one, for as long as the hooks that call it are in force. */
  readonly serverOf: (server: ServerConfig) => ToolServer;
  readonly pluginStore: PluginStore;
  /** Whether programs of plugins may run, and which. */
  readonly plugins: ShellSettings;
  /** Null when there are no permission rules. */
  readonly rules: Judge | null;
}

/** The function that does what a configured hook says, whatever its kind. */
export function handlerOf(
  hook: HookConfig,
  { sandbox, servers }: Config,
  { home, env, outbound, queue, serverOf, pluginStore, plugins, rules }: HandlerParts,
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
        hook.plugin === null ? undefined : pluginProgram(hook, action, plugins, pluginStore, rules),
      );
    }
    case "http": {
      const isClaudeShaped = dialect === "claude";
      return httpHandler({ name, isClaudeShaped, nativeEvent, ...action }, outbound);
    }
    case "mcp_tool":
      return mcpToolHandler({
        tool: action.tool,
        servers: serversFor(hook, servers).map(serverOf),
        isClaudeShaped: dialect === "claude",
      });
    case "function":
      return action.handler;
    case "redact":
      return redactHandler(action.forms);
    case "webhook":
      return webhookHandler({ id: hook.id, name, url: action.url, maySend: maySend(action) }, queue);
  }
}
