import { join } from "node:path";
import { SwarmError } from "./base/errors.ts";
import type { Log } from "./base/log.ts";
import type { Config, HookConfig } from "./config/hook-config.ts";
import { loadConfig } from "./config/load.ts";
import { commandHandler } from "./handlers/command/command-handler.ts";
import { type Hooks, openHooks } from "./hooks/create-hooks.ts";
import type { HandlerFunction } from "./ports/handler.ts";

/** Where the configuration is and what it may see of the environment. */
export interface RuntimeOptions {
  readonly home: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export interface Runtime {
  readonly config: Config;
  readonly hooks: Hooks;
}

/** The composition root: the configuration of a folder, loaded into an engine with a handler for every kind. */
export function openRuntime({ home, cwd, env, log }: RuntimeOptions): Runtime {
  const config = loadConfig({ home, cwd, env });
  const { hooks, register } = openHooks({ trace: true, hooksEnabled: config.hooksEnabled, log });
  for (const hook of config.hooks) {
    const { match, priority, mode, onFailure, onDenied, timeoutMs, plugin, name } = hook;
    const options = {
      match,
      priority,
      mode,
      onFailure,
      timeoutMs,
      name,
      ...(hook.when && { when: hook.when }),
    };
    const more = { ...(onDenied && { onDenied }), ...(plugin !== null && { plugin }) };
    register(hook.event, { ...options, ...more }, handlerOf(hook, home, env), hook.action.kind);
  }
  return { config, hooks };
}

function handlerOf(hook: HookConfig, home: string, env: NodeJS.ProcessEnv): HandlerFunction {
  const { action, name, dialect, nativeEvent, timeoutMs } = hook;
  switch (action.kind) {
    case "command":
    case "script":
    case "blocking_script": {
      const { kind, argv, line, pluginRoot } = action;
      const isClaudeShaped = dialect === "claude";
      const spillFolder = join(home, "spill");
      return commandHandler(
        { name, kind, isClaudeShaped, nativeEvent, argv, line, pluginRoot, timeoutMs, spillFolder },
        env,
      );
    }
    // A guard of a kind that cannot run must not look like one that has nothing to say: it fails, each time.
    case "webhook":
    case "http":
    case "mcp_tool":
      return () => {
        throw new SwarmError("SWARM_KIND_UNAVAILABLE", { hook: name, kind: action.kind });
      };
  }
}
