import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { isPassed } from "../../base/passed-variables.ts";
import { show } from "../../base/show.ts";
import { parseConfigText } from "../../config/parse.ts";
import type { Adapter, OtherHook, Scope } from "../port/adapter.ts";
import type { HookGroup } from "./config-text.ts";

type Json = Readonly<Record<string, unknown>>;

/** The hook as a group of our configuration that does the same for the same agent; or, as a text, why there is none. */
export function portableGroup(
  { agent, settings }: Adapter,
  other: OtherHook,
  scope: Scope,
  env: NodeJS.ProcessEnv,
): HookGroup | string {
  const { native } = other.place;
  const ported = settings.port(other);
  if (typeof ported === "string") return ported;
  const problem = whyNotTheSame(ported.hook, scope);
  if (problem !== null) return problem;
  const hook = withLoopback(withShell(ported.hook, settings.shell(env), env));
  const body = { ...ported.group, when: { source: agent }, hooks: [hook] };
  return whyNotLoaded(native, body) ?? { native, body };
}

/** What our loader would refuse or pass over, by what it says itself. */
function whyNotLoaded(native: string, body: Json): string | null {
  try {
    const text = JSON.stringify({ hooks: { [native]: [body] } });
    const { hooks, skipped } = parseConfigText("hook", text, { owner: "user", env: {} });
    const [first] = skipped;
    if (first !== undefined) return first.reason;
    const [hook] = hooks;
    if (hook === undefined) return "there is nothing in it";
    // Its server is one of the agent's, and none of ours may have its tool.
    return hook.action.kind === "mcp_tool"
      ? "its tool belongs to a server of the agent's: move it by hand"
      : null;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return error.message.replace(/^hook:\d+:\d+: /, "");
  }
}

/** What only the agent's own environment has, or means something else here. */
function whyNotTheSame({ command, args, url }: Json, scope: Scope): string | null {
  if (typeof url === "string" && !isLoopback(url))
    return "where it may connect to is up to other rules here: move it by hand";
  if (typeof command !== "string") return null;
  if (Array.isArray(args)) {
    if (/^(\.\.?|~)\//.test(command)) return `it starts ${show(command)}, wherever the agent is just then`;
    return whyNotProjectFolder([command, ...args].join("\n"), scope);
  }
  // Nothing is replaced between single quotes.
  const line = command.replaceAll(/'[^']*'/g, "''");
  const used = [...line.matchAll(/\$\{?([A-Z_][A-Z0-9_]*)/g)].map(([, name = ""]) => name);
  const missing = used.find(
    (name) => !isThere(name) && !new RegExp(`\\b${name}=|\\b(?:for|read)\\b[^;]*\\b${name}\\b`).test(line),
  );
  if (missing !== undefined) return `it uses $${missing}, which programs started by us do not get`;
  return whyNotProjectFolder(line, scope);
}

/** Variables a shell sets itself, or that we hand on. */
const shellVariables = new Set([
  "PWD",
  "OLDPWD",
  "IFS",
  "UID",
  "EUID",
  "PPID",
  "RANDOM",
  "SECONDS",
  "LINENO",
  "_",
]);

function isThere(name: string): boolean {
  return name === "CLAUDE_PROJECT_DIR" || isPassed(name) || shellVariables.has(name);
}

/** A project's hooks are in its folder, so that is known; of a user's hook only the folder of the call is. */
function whyNotProjectFolder(text: string, scope: Scope): string | null {
  if (scope === "project" || !/\$\{?CLAUDE_PROJECT_DIR\b/.test(text)) return null;
  return "it uses $CLAUDE_PROJECT_DIR, which for a user's hook is the folder of the call here";
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** An agent asks whom it is told to; here it takes a word to reach this machine. */
function withLoopback(hook: Json): Json {
  return hook.type === "http" ? { ...hook, allowPrivate: ["loopback"] } : hook;
}

/** Words, quotes and variables, which every shell reads alike. */
const plainLine =
  /^(?:[\w./:@,+=%~ -]|'[^']*'|"(?:[^"`\\$]|\$(?:\w+(?!\w)|\{\w+\}))*"|\$(?:\w+(?!\w)|\{\w+\}))+$/;

/** Any other line is for the shell its agent hands it to, if that is there. */
function withShell(hook: Json, [shell, ...args]: readonly string[], env: NodeJS.ProcessEnv): Json {
  const { command, args: given, shell: named = "bash", ...rest } = hook;
  if (typeof command !== "string" || given !== undefined || named !== "bash") return hook;
  if (plainLine.test(command)) return hook;
  const folders = (env.PATH ?? "").split(delimiter);
  if (shell === undefined || !folders.some((folder) => existsSync(join(folder, shell)))) return hook;
  return { ...rest, command: shell, args: [...args, command] };
}
