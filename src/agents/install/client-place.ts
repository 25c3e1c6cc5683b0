import type { RefusalTexts } from "../port/adapter.ts";

export interface ClientPlace {
  readonly home: string;
  /** The Node that evaluates hooks when there is no daemon, and the command line it runs. */
  readonly node: string;
  readonly cli: string;
  /** The client a package of this platform has, null without one: then it is compiled. */
  readonly prebuilt: string | null;
  /** Where compilers and curl are looked for. */
  readonly path: readonly string[];
  /** What hooks are evaluated in when there is no daemon: nothing of the agent's own environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** How agents are refused for whom a reason on stderr is not enough. */
  readonly refusals: readonly RefusalTexts[];
}

/**
 * What a client takes itself to be started with when it is started with nothing: by an agent that reads another one's
 * settings and drops the arguments. Whether a guard is in force it cannot know, so there is one; the agent's deadline is
 * the one every entry of ours is installed with.
 */
export const argumentsByDefault = ["unknown", "--guard", "--timeout-ms", "59500"];
