import type { Change } from "../../install/install.ts";

/** Claude Code 2.1.325 passes over a settings file with comments or trailing commas, without a word. */
export function unreadByAgent({ agent, file, after }: Pick<Change, "agent" | "file" | "after">): string[] {
  if (agent !== "claude-code" || after === null) return [];
  try {
    JSON.parse(after.replace(/^\ufeff/, ""));
    return [];
  } catch {
    // We have read it as JSON with comments, so that is what it has.
    return [
      `${agent}: WILL NOT RUN our hooks: it ignores a settings file with comments or trailing commas, take them out of ${file}`,
    ];
  }
}
