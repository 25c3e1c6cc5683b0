import type { EventName } from "../engine/events/names.ts";
import type { Mode } from "../engine/events/outcome.ts";
import type { When } from "../engine/hooks/when.ts";
import type { HandlerFunction } from "../engine/hooks/handler.ts";
import type { WebhookFormat } from "../net/webhook-formats.ts";
import type { Pipeline } from "../operations/pipelines/port/pipeline.ts";
import type { CommandLine } from "./command-line.ts";
import type { DeclaredJob } from "./cron-section.ts";
import type { SetFlags } from "./flags.ts";
import type { InboundSource } from "./inbound.ts";
import type { Position } from "./node.ts";
import type { PolicyConfig } from "./policy/policy-config.ts";

/** The shape a hook was written in. It decides what the hook's program reads on stdin. */
export type Dialect = "swarm" | "claude" | "bernstein" | "swarmx";

/** One hook of a configuration file: every default filled in, every value checked. */
export interface HookConfig {
  /** The same as long as file, event, and name or place among the event's unnamed hooks stay the same. */
  readonly id: string;
  readonly name: string;
  readonly source: Position & { readonly file: string };
  readonly dialect: Dialect;
  readonly event: EventName;
  /** The event as written in the file. */
  readonly nativeEvent: string;
  /** In our own syntax, whatever the dialect's. */
  readonly match: string;
  readonly when: When | null;
  readonly priority: number;
  readonly mode: Mode;
  readonly onFailure: "allow" | "deny";
  readonly onDenied: boolean;
  readonly timeoutMs: number;
  readonly plugin: string | null;
  readonly action: Action;
  /** Its name in its own file, where it goes by another because a nearer hook has that one. */
  readonly declaredName?: string;
  /** What is judged is a job, and this is all it says. */
  readonly job?: DeclaredJob["settings"];
  /** What is judged is a pipeline or a step of one, and this is all it says. */
  readonly declared?: Readonly<Record<string, unknown>>;
}

export type Action = CommandAction | RequestAction | ToolAction | FunctionAction | RedactAction;
export type RequestAction = HttpAction | WebhookAction;

export interface CommandAction {
  readonly kind: "command" | "script" | "blocking_script";
  /** Exactly one of `argv` and `line` is set. Variables in either are as written: nothing is substituted here. */
  readonly argv: readonly string[] | null;
  readonly line: string | null;
  readonly pluginRoot: string | null;
  /** Files the program needs beside those its words name: paths and globs from the file's folder. Absent: none. */
  readonly files?: readonly string[];
  /** Of an installed plugin: what the user approved. */
  readonly approved?: ApprovedPlugin;
}

export interface ApprovedPlugin {
  readonly digest: string;
  /** Its `allowed_shell_commands`. */
  readonly commands: readonly CommandLine[];
  /** SHA-256 of each of its files, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Where a request goes, and how its sender is told by. */
interface Request {
  readonly url: string;
  readonly secret: string | null;
  /** Signs as well, while receivers change from it to the other. */
  readonly previousSecret: string | null;
  /** Addresses, blocks and words: what it may connect to beside the public internet. */
  readonly allowPrivate: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** These as the file has them, where variables were replaced in them. */
  readonly written?: WrittenRequest;
}

export interface WrittenRequest {
  readonly url: string;
  readonly secret: string | null;
  readonly previousSecret: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpAction extends Request {
  readonly kind: "http";
}

export interface WebhookAction extends Request {
  readonly kind: "webhook";
  /** The file says that it is not signed; without a secret it is not, either way. */
  readonly isUnsigned: boolean;
  /** How often a delivery the receiver turned down for the moment is tried again. */
  readonly retry: number;
  /** The file says `retry`: then it counts for every kind of failure. */
  readonly isRetryCap: boolean;
  /** How long a receiver that cannot be reached is waited for. */
  readonly maxAgeMs: number;
  /** The service whose form messages have; absent: the event as programs get it, or `body`. */
  readonly format?: WebhookFormat;
  /** A body of its own, with `{{path}}` in its texts. */
  readonly body?: unknown;
  /** PagerDuty's name of the service: a secret that is put in when a message is sent. */
  readonly routingKey?: string;
  /** Of the headers X-<prefix>-Event, -Signature and -Timestamp, for receivers that know only those. */
  readonly legacyPrefix: string | null;
}

export interface ToolAction {
  readonly kind: "mcp_tool";
  /** Null: the one server the hook may call that has the tool. */
  readonly server: string | null;
  readonly tool: string;
}

/** An MCP server of a configuration file. */
export interface ServerConfig {
  readonly name: string;
  readonly source: Position & { readonly file: string };
  /** Declared in the user's own file, so that every project's hooks may call it. */
  readonly isUsers: boolean;
  readonly transport: StdioTransport | HttpTransport;
  /** Its entry as it stands in the file, no variable replaced: what a person approves, and a digest is made of. */
  readonly written: unknown;
}

export interface StdioTransport {
  readonly kind: "stdio";
  readonly argv: readonly [string, ...string[]];
  /** What the file adds to the environment every program gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** As with a hook's program. */
  readonly files?: readonly string[];
}

export interface HttpTransport {
  readonly kind: "http";
  readonly url: string;
  readonly allowPrivate: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** A function of a plugin, in this process. No file can declare one: a plugin's module registers it. */
export interface FunctionAction {
  readonly kind: "function";
  /** Path in the plugin's folder. */
  readonly module: string;
  /** Of the plugin. */
  readonly digest: string;
  readonly handler: HandlerFunction;
  /** A condition that is code, where `when` is none. */
  readonly condition: ((data: never, origin: never) => boolean) | null;
}

/** Masks secrets in the output of tools, in this process. `redact:` of a file asks for it; no hook is declared so. */
export interface RedactAction {
  readonly kind: "redact";
  /** Ids of the forms of secrets that are masked. */
  readonly forms: readonly string[];
}

/** Something a file of another program asks for that has no counterpart here, and is therefore not done. */
export interface Skipped {
  readonly source: Position & { readonly file: string };
  readonly nativeEvent: string;
  readonly reason: string;
}

/** What the user says about plugins. */
export interface PluginSettings {
  readonly shellAllowlist: readonly CommandLine[];
  /** By plugin. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What is in force of it. */
export interface ShellSettings extends PluginSettings {
  readonly isShellEnabled: boolean;
}

/** How many days work that is over is kept. */
export interface KeptDays {
  readonly batch: number;
  readonly pipeline: number;
  readonly drift: number;
}

/** What the configuration files of one working directory say together. */
export interface Config {
  readonly files: readonly string[];
  readonly hooks: readonly HookConfig[];
  /** The user's first. */
  readonly servers: readonly ServerConfig[];
  readonly skipped: readonly Skipped[];
  /** The user's first; a project's run once they are approved. */
  readonly cron: readonly DeclaredJob[];
  /** The user's first; a project's run once they are approved. */
  readonly pipelines: readonly Pipeline[];
  readonly logHooks: "off" | "debug";
  /** As the user's file has them; others have a word, too. */
  readonly flags: SetFlags;
  /** How hooks' programs are held. */
  readonly sandbox: "off" | "strict";
  readonly audit: { readonly durability: "process" | "power_loss"; readonly payloadRetentionDays: number };
  /** How long questions wait for their decision, and agents for a person. */
  readonly approvals: {
    readonly ttlMs: number;
    readonly waitMs: number;
    readonly require: "any" | "person";
  };
  readonly batch: { readonly uploadLimitBytes: number };
  readonly retention: KeptDays;
  /** Permission rules. */
  readonly policy: PolicyConfig;
  readonly inbound: readonly InboundSource[];
  /** Environment variables the user lets configuration files and hooks read. */
  readonly allowedVariables: readonly string[];
  readonly plugins: PluginSettings;
}
