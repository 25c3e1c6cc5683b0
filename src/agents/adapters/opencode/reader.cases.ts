import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

/** What the plugin does at each of its hooks. */
const keys: Readonly<Record<string, readonly string[]>> = {
  "tool.execute.before": ["deny", "args"],
  "tool.execute.after": ["deny", "output", "context"],
  "chat.message": ["deny", "prompt", "context"],
  "experimental.session.compacting": ["preserve"],
};

/** What becomes of an answer in `native/opencode-plugin.js` and OpenCode 1.18.33. */
export function readOpencode(
  native: string,
  { stdout, stderr, exitCode }: NativeAnswer,
  call: DecodedCall,
): Told {
  if (exitCode === 2) return { ...nothingTold, isDenied: true, reason: stderr };
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
  if (stdout.trim() === "") return nothingTold;
  const answer = JSON.parse(stdout) as Json;
  const unknown = Object.keys(answer).filter((key) => !(keys[native] ?? []).includes(key));
  if (unknown.length > 0) throw new Error(`no effect: ${unknown.join(", ")}`);
  const deny = textOf(answer.deny);
  const { tool_output } = call.data;
  return {
    ...nothingTold,
    isDenied: answer.deny !== undefined,
    reason: deny,
    context: textOf(answer.context) || deny,
    rewritten:
      answer.output === undefined
        ? (answer.args ?? answer.prompt ?? answer.preserve)
        : { ...(tool_output as Json), ...(answer.output as Json) },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
