import { delimiter } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { CommandAction, HookConfig, ShellSettings } from "../../config/hook-config.ts";
import type { RunProgram } from "../../handlers/command/command-handler.ts";
import { type ProcessResult, runProcess } from "../../handlers/process/run-process.ts";
import type { Judge } from "../rules/judge.ts";
import { systemFolders, vetCommand } from "./vet-command.ts";
import type { PluginRunEnd, PluginStore } from "./port/plugin-store.ts";

/**
 * Runs the program of a plugin's hook, if it may be run, and leaves a row of it in the store either way: before it
 * starts, so that a crash cannot leave it out. Without that row it does not start.
 */
export function pluginProgram(
  hook: HookConfig,
  action: CommandAction,
  settings: ShellSettings,
  store: PluginStore,
  rules: Judge | null = null,
  clock: Clock = systemClock,
): RunProgram {
  const plugin = hook.plugin ?? "";
  return async (program, limits, call) => {
    const listed = vetCommand(plugin, action, settings, [program.cwd]);
    const ruledOut = "deniedWhy" in listed ? null : whyRuledOut(rules, plugin, listed.argv);
    const vetted = ruledOut === null ? listed : { deniedWhy: ruledOut };
    const isRefused = "deniedWhy" in vetted;
    const seq = await store.beginRun({
      time: new Date(clock.now()).toISOString(),
      plugin,
      hook: hook.name,
      event: call.event,
      event_id: call.id,
      argv: isRefused ? (action.argv ?? [action.line ?? ""]) : vetted.argv,
      digest: action.approved?.digest ?? "",
      denied_why: isRefused ? vetted.deniedWhy : null,
    });
    if (isRefused)
      throw new SwarmError("SWARM_PLUGIN_COMMAND_REFUSED", { hook: hook.name, why: vetted.deniedWhy });
    const { argv, isOwn } = vetted;
    // Many programs of the system take settings from the folder they are in, and git even programs to run: an agent's
    // folder is no place to start them in. A file of the plugin's own gets the folder it was written for.
    const cwd = isOwn ? program.cwd : "/";
    const env = environment(action.pluginRoot ?? "", program.cwd);
    const result = await runProcess({ ...program, argv, cwd, env }, { ...limits, ulimits: true });
    await store.endRun(seq, endOf(result));
    return result;
  };
}

/** By a permission rule. Nobody can be asked while a hook is at work, so a rule that asks refuses too. */
function whyRuledOut(rules: Judge | null, plugin: string, argv: readonly string[]): string | null {
  const judged = rules?.judge({
    event: "plugin.command",
    kind: "command",
    name: plugin,
    input: { command: argv },
  });
  return judged === undefined || judged === null || judged.behaviour === "allow" ? null : judged.reason;
}

/** All of it: nothing of the user's own reaches a plugin. */
function environment(root: string, folder: string): Record<string, string> {
  return {
    PATH: systemFolders.join(delimiter),
    LANG: "C.UTF-8",
    CLAUDE_PLUGIN_ROOT: root,
    CLAUDE_PROJECT_DIR: folder,
  };
}

function endOf({ ending, stdout, stderr, ms }: ProcessResult): PluginRunEnd {
  return {
    ending: ending.how,
    exit_code: ending.how === "exited" ? ending.exitCode : null,
    ms: Math.round(ms * 1e3) / 1e3,
    bytes: Buffer.byteLength(stdout) + Buffer.byteLength(stderr),
  };
}
