import { isAbsolute } from "node:path";
import { show } from "../../base/show.ts";
import { readFields } from "../fields.ts";
import { type ConfigNode, invalid, plainOf } from "../node.ts";
import { testKeys } from "./keys.ts";
import type { PolicyTest } from "./policy-config.ts";

/** The cases of `swarm policy test`. */
export function readTests(file: string, nodes: readonly ConfigNode[]): PolicyTest[] {
  return nodes.map((node) => readTest(file, node));
}

function readTest(file: string, node: ConfigNode): PolicyTest {
  const fields = readFields(file, node, "the test", testKeys);
  const { expect, rule, command, tool, input, event, kind, name, agent, role, cwd, folders, time } = fields;
  const named = tool?.value ?? name?.value ?? (command === undefined ? undefined : "Bash");
  if (named === undefined)
    throw invalid(file, node.at, "the test has no tool, no command and no name, expected one");
  if (cwd !== undefined && !isAbsolute(cwd.value))
    throw invalid(file, cwd.at, "cwd is relative, expected an absolute path");
  const given = input === undefined ? {} : objectOf(file, input.value);
  return {
    source: { file, ...node.at },
    expect: expect.value,
    rule: rule?.value ?? null,
    event: event?.value ?? "tool.before",
    kind: kind?.value ?? null,
    name: named,
    input: command === undefined ? given : { command: command.value, ...given },
    agent: agent?.value ?? null,
    role: role?.value ?? null,
    cwd: cwd?.value ?? null,
    folders: [folders?.value ?? []].flat(),
    timeMs: time === undefined ? null : readTime(file, time),
  };
}

function readTime(
  file: string,
  { value, at }: { readonly value: string; readonly at: ConfigNode["at"] },
): number {
  const timeMs = Date.parse(value);
  if (Number.isNaN(timeMs))
    throw invalid(file, at, `time is ${show(value)}, expected one as 2026-01-31T12:00:00Z`);
  return timeMs;
}

function objectOf(file: string, node: ConfigNode): Record<string, unknown> {
  if (node.kind !== "map") throw invalid(file, node.at, "input is no map, expected the tool's arguments");
  return plainOf(node) as Record<string, unknown>;
}
