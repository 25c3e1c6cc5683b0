import { dirname, join } from "node:path";
import type { Log } from "../../base/log.ts";
import type { Config, HookConfig, ServerConfig, ShellSettings } from "../../config/hook-config.ts";
import { serversFor } from "../../config/servers.ts";
import { commandHandler, type RunProgram } from "../../handlers/command/command-handler.ts";
import { httpHandler } from "../../handlers/http/http-handler.ts";
import { mcpToolHandler } from "../../handlers/mcp-tool/mcp-tool-handler.ts";
import type { ToolServer } from "../../handlers/mcp-tool/tool-server.ts";
import { runProcess } from "../../handlers/process/run-process.ts";
import { redactHandler } from "../../handlers/redact/redact-handler.ts";
import { type Queue, webhookHandler } from "../../handlers/webhook/webhook-handler.ts";
import type { Outbound } from "../../net/outbound.ts";
import type { Judge } from "../../policy/rules/judge.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import type { PluginStore } from "../../policy/plugins/port/plugin-store.ts";
import { pluginProgram } from "../../policy/plugins/plugin-command.ts";
import { loggedRun } from "./log-hooks.ts";

/** What handlers of every kind have in common. */
export interface HandlerParts {
  readonly home: string;
  readonly log: Log;
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
  { sandbox, servers, logHooks }: Config,
  { home, log, env, outbound, queue, serverOf, pluginStore, plugins, rules }: HandlerParts,
): HandlerFunction {
  const { action, name, dialect, nativeEvent, timeoutMs } = hook;
  const warn = warnOnce(hook, log);
  switch (action.kind) {
    case "command":
    case "script":
    case "blocking_script": {
      const { kind, argv, line, pluginRoot } = action;
      const isClaudeShaped = dialect === "claude";
      const baseFolder = dirname(hook.source.file);
      const projectFolder = baseFolder === home ? null : baseFolder;
      const folders = { pluginRoot, baseFolder, projectFolder, spillFolder: join(home, "spill") };
      const run: RunProgram =
        hook.plugin === null ? runProcess : pluginProgram(hook, action, plugins, pluginStore, rules);
      return commandHandler(
        { name, kind, isClaudeShaped, nativeEvent, argv, line, timeoutMs, sandbox, warn, ...folders },
        env,
        logHooks === "debug" ? loggedRun(run, name, log) : run,
      );
    }
    case "http": {
      const isClaudeShaped = dialect === "claude";
      return httpHandler({ name, isClaudeShaped, nativeEvent, warn, ...action }, outbound);
    }
    case "mcp_tool":
      return mcpToolHandler({
        tool: action.tool,
        servers: serversFor(hook, servers).map(serverOf),
        isClaudeShaped: dialect === "claude",
        warn,
      });
    case "function":
      return action.handler;
    case "redact":
      return redactHandler(action.forms);
    case "webhook":
      return webhookHandler(
        { id: hook.id, name, url: action.url, format: action.format, body: action.body },
        queue,
      );
  }
}

/** A hook that answers wrongly does so each time: it is said once. */
function warnOnce({ name, event }: HookConfig, log: Log): (problem: string) => void {
  const warned = new Set<string>();
  return (problem) => {
    if (warned.has(problem) || warned.size >= 10) return;
    warned.add(problem);
    log.warn(`hook ${name}: ${problem}`, { hook: name, event });
  };
}
