import type { Verdict } from "../../engine/events/decision.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { ToolNames } from "../../engine/events/tool-names.ts";
import { agents, type NamedAgent } from "./agents.ts";

/** What an entry of ours names its event in, where the agent's payload does not. */
export const eventVariable = "SWARM_NATIVE_EVENT";

/** What an agent of the swarm is known by: given to it when it is started, handed on to whatever it starts. */
export const agentTokenVariable = "SWARM_AGENT_TOKEN";

/**
 * The variables agents can be told apart by, and those two. Clients hand over these and no
 * others: what else is in an agent's environment may be secret.
 */
export const tellingVariables: readonly string[] = [
  ...Object.values(agents).flatMap(({ variables }) => variables),
  eventVariable,
  agentTokenVariable,
];

/** A call as an agent makes it. */
export interface NativeCall {
  /** The object on the hook's stdin. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The variables of its environment that tell who it is. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The same call as an event. */
export interface DecodedCall {
  /** `native.unknown` for one that has no counterpart. */
  readonly event: EventName;
  readonly nativeEvent: string;
  /** Everything the agent sent, under our names where we have one; nothing is left out. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  /** The same for one call that arrives twice through two files; null where the agent gives nothing to tell by. */
  readonly key: string | null;
  /** The key of the same call after a rewrite: some agents show each hook what the one before it has made of the call. */
  keyWith(data: DecodedCall["data"]): string | null;
}

/** What the hook's process prints and ends with. */
export interface NativeAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The text around the reason of a refusal, for clients that cannot run an adapter. */
export interface RefusalTexts {
  readonly agent: string;
  /** What the variable of the entry says; empty: whatever it says. */
  readonly event: string;
  /** 0: on stdout; 2: on stderr. */
  readonly exitCode: number;
  /** The reason stands between any two of them. */
  readonly texts: readonly string[];
}

/**
 * What a denial does: the action does not happen; the model reads the reason; the agent goes on instead of ending; the
 * whole run ends; nothing.
 */
export type DenyEffect = "prevents" | "feedback" | "keeps_working" | "ends_run" | "nothing";

/** What an agent can be told at one of its events. Whatever is not listed is degraded by `degrade`, and recorded. */
export interface NativeEvent {
  readonly native: string;
  /** `native.unknown` where we have no event of our own for it. One native event may have a row for each of several. */
  readonly event: EventName;
  /**
   * Whether our entry is put there: `when_hooked` or `when_guarded` only while a hook or a guard is for its event,
   * because it is raised many times a turn; `never` where another of the agent's events tells the same.
   */
  readonly installed: "always" | "when_hooked" | "when_guarded" | "never";
  /** Verdicts it acts on. */
  readonly verdicts: readonly Verdict[];
  /** `nothing` exactly where `deny` is not among the verdicts. */
  readonly deny: DenyEffect;
  /** Fields it takes a rewrite of. */
  readonly rewrites: readonly string[];
  /** Whether it takes them only from who also allows the action. An allowance nobody gave is never made up for it. */
  readonly rewriteNeedsAllow: boolean;
  /** Whether context reaches the model, and does nothing else. */
  readonly takesContext: boolean;
  /** The longest it takes of all texts together; null: no bound is known. */
  readonly maxContextChars: number | null;
  /** Whether it ends the run when told to. */
  readonly takesStop: boolean;
  /** Whether the action at hand would still happen before it ends. */
  readonly actsBeforeStop: boolean;
  /** How long it waits for a hook unless its settings say otherwise, in seconds. */
  readonly timeoutS: number;
  /** The longest it can be made to wait; null: no bound is known. */
  readonly maxTimeoutS: number | null;
}

/** One measured behaviour that deviates from what a reader would expect. */
export interface Quirk {
  readonly id: string;
  /** Versions it was seen in, as a range: `2.1.325`, `>=0.166.0`. */
  readonly versions: string;
  readonly behaviour: string;
  readonly evidence: "run" | "source" | "documentation";
  readonly whatWeDo: string;
}

/** A flag or a variable of the agent with which one run of it does without our hooks. No settings file can forbid it. */
export interface HookBypass {
  readonly kind: "flag" | "variable";
  /** Its spellings: `-c`, `--config`. */
  readonly names: readonly string[];
  /** The values that do it; null: a flag that takes none, or a variable with any value that means yes. */
  readonly value: RegExp | null;
  /** As a user would write it: `-c features.hooks=false`. */
  readonly example: string;
  readonly effect: string;
  readonly evidence: Quirk["evidence"];
}

/** One coding agent: how it calls, how it is answered, where it is told of us. */
export interface Adapter extends NamedAgent {
  readonly events: readonly NativeEvent[];
  /** Where the output of a shell command that failed can be seen; null: nobody has looked. */
  readonly failedCommandEvent: "tool.after" | "tool.failed" | null;
  /**
   * Whether its model can type into a command that runs already: not at all, by a tool that hooks see, or past them. Null:
   * nobody has looked.
   */
  readonly typing: "none" | "hooked" | "unhooked" | null;
  readonly quirks: readonly Quirk[];
  readonly bypasses: readonly HookBypass[];
  /** Whether the call comes from this agent, by signs no other one gives. */
  recognises(call: NativeCall): boolean;
  decode(call: NativeCall): DecodedCall;
  /** What the tool of a payload under our names may be; undefined where it has none. */
  toolNames(data: DecodedCall["data"]): ToolNames | undefined;
  /** Why it would not apply this rewrite of a field whose rewrites it takes; null when it would. */
  whyNotRewritten(call: DecodedCall, field: string, value: unknown): string | null;
  /** Exactly the keys the agent accepts; the outcome has been degraded to what it can express. */
  encode(outcome: Outcome, call: DecodedCall): NativeAnswer;
  /** A refusal without an outcome: input that cannot be read (then there is no call), a record that cannot be written. */
  refuse(reason: string, call?: DecodedCall): NativeAnswer;
  readonly settings: AgentSettings;
  /** What is left to its user before it runs our hooks; null: nothing. */
  readonly trust: string | null;
}

/** A place hooks are declared in. */
export type Scope = "user" | "project";

/** What an agent's settings have to say for the events that are wanted. */
export interface WantedHook {
  readonly native: string;
  /** Program and arguments; absolute. */
  readonly argv: readonly [string, ...string[]];
  readonly timeoutS: number;
}

/** Where a hook stands in a settings file. */
export interface HookPlace {
  readonly native: string;
  readonly groupIndex: number;
  readonly hookIndex: number;
}

/** A hook of ours as it is in a settings file. */
export interface InstalledHook extends WantedHook {
  readonly place: HookPlace;
}

/** What somebody has made of an entry of ours, so that it does less than the one we wrote. */
export interface WeakEntry {
  readonly native: string;
  readonly why: string;
  /** Whether it is known to let calls pass; else it is a key nobody here knows. */
  readonly letsCallsPass: boolean;
}

/** A hook of the user's own. */
export interface OtherHook {
  readonly place: HookPlace;
  /** What its group says besides its hooks: a matcher. */
  readonly group: Readonly<Record<string, unknown>>;
  readonly hook: Readonly<Record<string, unknown>>;
}

/** The same hook as our configuration takes it: a group with one hook, in Claude Code's shape. */
export interface PortableHook {
  readonly group: Readonly<Record<string, unknown>>;
  readonly hook: Readonly<Record<string, unknown>>;
}

/** Where settings are looked for. */
export interface SettingsFolders {
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Knows the agent's settings file. Reads and writes nothing: it turns one text into another. */
export interface AgentSettings {
  /** The agent's own folder in the user's home: the agent is there if it is. */
  home(folders: SettingsFolders): string;
  /** The file of a scope, from the user's home folder and the project's root. */
  file(scope: Scope, folders: SettingsFolders): string;
  /**
   * The text with our hooks in it, everything else as it was; `null` text: the file is missing. `file` is what an error
   * calls a text that cannot be read.
   */
  install(text: string | null, wanted: readonly WantedHook[], file?: string): string;
  /** The text without our hooks: to the byte what it was, if nothing else has changed since. Empty: none was there. */
  uninstall(text: string, file?: string): string;
  /** Our hooks as the text declares them; to see what is installed. */
  installed(text: string, file?: string): readonly InstalledHook[];
  /** Why the agent runs no hook of this text, as far as the text itself tells; null: nothing in it says so. */
  whyInert(text: string): string | null;
  /** Every file besides these two in which its hooks can be switched off, there or not: local, managed ones. */
  switchFiles(folders: SettingsFolders): readonly string[];
  /** What in a file of the agent switches off all hooks, those of other files too; null: nothing. */
  hooksOff(text: string, file: string): string | null;
  /** Entries of ours that were narrowed or weakened where they stand. */
  weakEntries(text: string, file?: string): readonly WeakEntry[];
  /** The text with our hooks changed where they stand, and everything around them as it was. */
  amend(text: string, change: (hook: WantedHook) => WantedHook, file?: string): string;
  /** The user's own hooks in the text. */
  others(text: string, file?: string): readonly OtherHook[];
  /** The text without these hooks of the user's own. */
  remove(text: string, hooks: readonly OtherHook[], file?: string): string;
  /** What our configuration needs to do the same as the agent does with the hook; or, as a text, why it cannot. */
  port(hook: OtherHook): PortableHook | string;
  /**
   * Every file that decides whether its hooks run, in every scope, as globs of a rule: what declares hooks, switches them
   * off, says which folders are trusted, or moves any of these. The policy that protects itself is generated from them.
   */
  readonly decidingFiles: readonly string[];
  /** Commands of its program, as patterns of a rule, that switch hooks off or start it without them. */
  readonly disablingCommands: readonly string[];
  /** How it runs a hook that is one line: a shell's name, and its arguments before the line. */
  shell(env: NodeJS.ProcessEnv): readonly [string, ...string[]];
  /** Whether a hook that stands in its settings twice runs once. */
  readonly runsSameOnce: boolean;
  /** Whether it stops running a hook that has changed until its user has looked at it. */
  readonly distrustsChanges: boolean;
  /**
   * Events whose entry denies what cannot be judged whether or not there is a guard: where entries are distrusted once
   * they change, the first guard must find its entry as it has to be.
   */
  readonly alwaysGuarded: readonly EventName[];
}
