import { SwarmError } from "../base/errors.ts";
import { invalidOption } from "../base/invalid-option.ts";
import { suggest } from "../base/suggest.ts";
import type { ConfigField } from "./config-field.ts";

interface Flag {
  readonly byDefault: boolean;
  readonly doc: string;
}

/** Every switch there is. Files, the environment, the command line and REST all take their names from here. */
export const flags = {
  hooks_enabled: {
    byDefault: true,
    doc: "false skips every hook. Permission rules go on judging, and every event is recorded.",
  },
  plugin_shell_hooks_enabled: {
    byDefault: false,
    doc: "true lets hooks of plugins run programs, those both lists have.",
  },
  cron_scheduler: {
    byDefault: true,
    doc: "false runs no job by its schedule; slots that are due meanwhile are missed.",
  },
  metrics: { byDefault: false, doc: "true serves GET /metrics, for Prometheus." },
  traces: {
    byDefault: false,
    doc: "true sends a span for every event and every hook to OTEL_EXPORTER_OTLP_ENDPOINT.",
  },
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flags;
export type FlagValues = Readonly<Record<FlagName, boolean>>;
/** Those that somebody has set. */
export type SetFlags = Readonly<Partial<Record<FlagName, boolean>>>;

export const flagNames = Object.keys(flags) as readonly FlagName[];

/** Who has the last word, in this order. */
export const flagSources = ["override", "environment", "config", "default"] as const;

/** Where each may be set but in the user's own file: nowhere in a project's. */
export const flagKeys = Object.fromEntries(
  flagNames.map((name) => {
    const { doc, byDefault } = flags[name];
    return [name, { type: "boolean", isUsers: true, doc: `${doc} Default ${byDefault}.` }];
  }),
) as Readonly<Record<FlagName, ConfigField & { readonly type: "boolean" }>>;

/** What a flag is, and whose word that is. */
export function resolveFlag(name: FlagName, override: SetFlags, environment: SetFlags, config: SetFlags) {
  const said = { override, environment, config, default: { [name]: flags[name].byDefault } as SetFlags };
  const from = flagSources.find((source) => said[source][name] !== undefined) ?? "default";
  return { value: said[from][name] ?? flags[name].byDefault, from };
}

const prefix = "SWARM_FLAG_";
const words: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  "1": true,
  false: false,
  off: false,
  "0": false,
};

/** `SWARM_FLAG_HOOKS_ENABLED=false`. A switch that is misspelt would be taken for one that was turned. */
export function flagsFromEnvironment(env: Readonly<Record<string, string | undefined>>): SetFlags {
  const given = Object.entries(env).filter(([variable, text]) => variable.startsWith(prefix) && text !== "");
  return Object.fromEntries(
    given.map(([variable, text = ""]) => {
      const name = flagNamed(variable.slice(prefix.length).toLowerCase());
      const value = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
      if (value !== undefined) return [name, value];
      const expected = "true or false";
      throw invalidOption("environment", variable, expected, text);
    }),
  );
}

/** The environment without them. A project's files set what an agent's hooks find in theirs. */
export function withoutFlags(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !variable.startsWith(prefix)));
}

export function flagNamed(written: string): FlagName {
  const name = flagNames.find((known) => known === written);
  if (name !== undefined) return name;
  throw new SwarmError("SWARM_FLAG_UNKNOWN", { flag: written, suggestion: suggest(written, flagNames) });
}
