import { homedir } from "node:os";
import { adapters } from "../../agents/adapters/index.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import { inspectSettings } from "../../agents/install/inspect.ts";
import type { Adapter, Scope } from "../../agents/port/adapter.ts";
import type { Finding } from "./finding.ts";

const scopes: readonly Scope[] = ["user", "project"];

/** Where secrets are to be masked in the output of tools, and an agent that calls our hooks shows some output as it is. */
export function examineRedact(hooks: readonly HookConfig[], home: string): Finding[] {
  const redact = hooks.find(({ action }) => action.kind === "redact");
  if (redact === undefined) return [];
  const folders = { home: homedir(), project: process.cwd(), env: process.env };
  const calling = Object.values<Adapter>(adapters).filter((adapter) =>
    scopes.some((scope) => inspectSettings(adapter, scope, folders, home, []).isInstalled),
  );
  return calling.flatMap((adapter): Finding[] => {
    const gap = unmaskedOutput(adapter);
    if (gap === null) return [];
    return [{ level: "note", about: redact.name, finding: `${adapter.title}: ${gap}` }];
  });
}

/** What the agent's model reads although it should be masked; null: nothing is known. */
export function unmaskedOutput({ failedCommandEvent }: Adapter): string | null {
  switch (failedCommandEvent) {
    case "tool.after":
      return null;
    case "tool.failed":
      return "the output of a command that fails reaches the model as it is, no hook can change it";
    case null:
      return "whether the output of a command that fails can be masked is not known";
  }
}
