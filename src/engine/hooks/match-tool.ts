import type { ToolReading } from "../events/tool-names.ts";
import { globTest, type Matcher } from "./matcher.ts";

/**
 * Whether a matcher is for what a tool may be. Where the agent has changed the tool's name, so has the matcher's been, in every
 * way an agent does: a rule for `mcp:my.server/do it` is also for `mcp:my_server/do-it`. A regular expression is asked about
 * the agent's spelling alone.
 */
export function mayMatchTool(matcher: Matcher, { name, spelling }: ToolReading): boolean {
  if (matcher.isAlways || matcher.test(name)) return true;
  if (spelling === "exact") return false;
  return matcher.globs?.some((glob) => mayFit[spelling](glob, name)) ?? false;
}

/** Whether a matcher is for a tool whatever of its readings is the true one. */
export function surelyMatchesTool(matcher: Matcher, readings: readonly ToolReading[]): boolean {
  const isSure = ({ name, spelling }: ToolReading) =>
    matcher.isAlways || (spelling !== "cut" && spelling !== "no_server" && matcher.test(name));
  return readings.length > 0 && readings.every(isSure);
}

const mayFit: Readonly<
  Record<Exclude<ToolReading["spelling"], "exact">, (glob: string, name: string) => boolean>
> = {
  changed: (glob, name) => globTest(blurred(glob))(blurredAs(glob, name)),
  cut(glob, name) {
    const [wanted, begun] = [blurred(glob), blurredAs(glob, name)];
    const star = wanted.indexOf("*");
    const certain = star === -1 ? wanted : wanted.slice(0, star);
    return certain.startsWith(begun) || (star !== -1 && begun.startsWith(certain));
  },
  /** Whatever server the matcher wants, it may be that one. */
  no_server(glob, name) {
    const server = /^mcp:([^/]*)/.exec(glob)?.[1]?.replaceAll("*", "") ?? "";
    return mayFit.changed(
      glob,
      name.replace(/^mcp:[^/]*/, () => `mcp:${server}`),
    );
  },
};

/** A matcher that does not begin like an MCP tool's name does not tell its parts apart either. */
function blurredAs(glob: string, name: string): string {
  return glob.startsWith("mcp:") ? blurred(name) : blurredPart(name);
}

/**
 * A name without what agents change in it. They put `_` or `-` in the place of other characters, one for each or one for
 * several, and some write small letters. `*` stays, for globs.
 */
function blurred(name: string): string {
  const [, server, tool] = /^mcp:([^/]*)(?:\/(.*))?$/s.exec(name) ?? [];
  if (server === undefined) return blurredPart(name);
  return `mcp:${blurredPart(server)}${tool === undefined ? "" : `/${blurredPart(tool)}`}`;
}

function blurredPart(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9*]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .toLowerCase();
}
