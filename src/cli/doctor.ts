import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { SwarmError } from "../base/errors.ts";
import type { HookConfig } from "../config/hook-config.ts";
import type { RunEvent } from "../ports/audit.ts";
import type { Runtime } from "../runtime.ts";
import type { Command } from "./command.ts";
import { openRuntime } from "./home.ts";

interface Finding {
  readonly level: "broken" | "inert" | "note" | "ok";
  readonly about: string;
  readonly finding: string;
}

export const doctorCommand: Command = {
  summary: "tell what is broken or inert: hooks that cannot run, always fail or never fired",
  positionals: [],
  examples: ["swarm doctor", "swarm doctor --json"],
  run({ isJson }) {
    const findings = examine();
    if (isJson) return `${JSON.stringify(findings, null, 2)}\n`;
    return findings.map(({ level, about, finding }) => `${level.padEnd(6)}  ${about}: ${finding}\n`).join("");
  },
};

/** The worst first: a guard that does not work looks exactly like one that has nothing to say. */
function examine(): Finding[] {
  let runtime: Runtime;
  try {
    runtime = openRuntime();
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return [{ level: "broken", about: "configuration", finding: error.message }, ...tools()];
  }
  const { config, audit } = runtime;
  const files = config.files.length === 0 ? "no file found" : config.files.join(", ");
  const newest = audit.newest();
  const findings: Finding[] = [
    {
      level: config.hooksEnabled ? "ok" : "inert",
      about: "configuration",
      finding: `${config.hooks.length} hooks, ${files}`,
    },
    ...config.skipped.map(
      ({ nativeEvent, reason }): Finding => ({ level: "note", about: nativeEvent, finding: reason }),
    ),
    ...config.hooks.map((hook) => examineHook(hook, newest)),
    ...tools(),
  ];
  const order = ["broken", "inert", "note", "ok"];
  return findings.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

function examineHook(hook: HookConfig, newest: readonly RunEvent[]): Finding {
  const about = hook.name;
  const { action } = hook;
  if (!("argv" in action))
    return { level: "broken", about, finding: `type ${action.kind} cannot run in this version` };
  const program = action.argv?.[0];
  if (program !== undefined && !isRunnable(program))
    return { level: "broken", about, finding: `no program ${program}` };
  const runs = newest.flatMap(({ handlers }) =>
    handlers.filter(({ name, status }) => name === about && status !== "skipped" && status !== "scheduled"),
  );
  const [last] = runs;
  if (last === undefined) return { level: "inert", about, finding: "never fired, as far as the record goes" };
  const failed = runs.filter(({ status }) => status === "failed" || status === "timed_out").length;
  if (failed === runs.length)
    return { level: "broken", about, finding: `failed ${failed} of ${failed} times: ${last.reason}` };
  return { level: "ok", about, finding: `${runs.length} runs, ${failed} failed, last ${last.status}` };
}

/** Programs that make containment stronger where they are; nothing depends on them. */
function tools(): Finding[] {
  return ["bwrap", "setpriv", "prlimit"].map((tool) =>
    isRunnable(tool)
      ? { level: "ok", about: tool, finding: "found" }
      : { level: "note", about: tool, finding: "not found: hooks run all the same" },
  );
}

function isRunnable(program: string): boolean {
  if (program.includes("${")) return true; // known only when the hook runs
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates =
    program.includes("/") || isAbsolute(program)
      ? [resolve(program)]
      : folders.map((folder) => join(folder, program));
  return candidates.some((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // not there, or not executable
    }
  });
}
