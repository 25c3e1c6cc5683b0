import type { NativeCall } from "../../port/adapter.ts";
import type { ScannedAgent } from "../../port/agents.ts";
import { chunksOf } from "../read/chunks.ts";
import { hasManyParts } from "../read/has-many-parts.ts";
import { linesOf } from "../read/lines.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A tool call as a transcript has it. */
export interface RecordedCall {
  readonly session: string;
  /** Which subagent made it; null: the session's own agent. */
  readonly subagent: string | null;
  /** Null where the transcript does not say. */
  readonly cwd: string | null;
  readonly timeMs: number | null;
  readonly id: string | null;
  readonly tool: string;
  readonly input: unknown;
}

/** Where an agent's files are looked for. */
export interface AgentPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agent's own folder, where its adapter knows it. */
  readonly agentHome: string | null;
}

export interface TranscriptFile {
  readonly agent: ScannedAgent;
  readonly path: string;
  /** The folder of `folders` it was found in. */
  readonly folder: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** How far the reading of all files has come, and what of them could not be read. */
export interface Reading {
  onRead(bytes: number): void;
  onBroken(): void;
  onTooLong(): void;
}

/** How one agent writes down what it did. */
export interface TranscriptReader {
  folders(place: AgentPlace): readonly string[];
  /** Whether a file is a transcript, by its path below the folder. */
  isTranscript(path: string): boolean;
  /** What the file holds, one object after the other. */
  records(file: TranscriptFile, reading: Reading): Iterable<Json>;
  /** Reads one file's records in their order: what holds for a session is said once, before its calls. */
  open(file: TranscriptFile): (record: Json) => Iterable<RecordedCall>;
  /** The call as the agent's hook would have told it before the tool ran. */
  hookCall(call: RecordedCall): NativeCall;
}

/** The longest line, item or row that is parsed. A call that writes a large file is near 2 MB; longer ones are pictures. */
export const maxRecordBytes = 4 * 1024 * 1024;

/** Of a file with an object on every line. */
export function* jsonLines(
  { path }: TranscriptFile,
  reading: Reading,
  chunks = chunksOf(path, reading.onRead),
): Generator<Json> {
  for (const line of linesOf(chunks, maxRecordBytes, reading.onTooLong)) {
    yield* parsed(line, reading);
  }
}

/** The object a text is, or nothing if it is none. */
export function* parsed(text: string, reading: Reading): Generator<Json> {
  if (hasManyParts(text)) return reading.onTooLong();
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return yield value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  reading.onBroken();
}

/** As Claude Code tells it, and those who took its protocol over. */
export function claudeHookCall(call: RecordedCall): NativeCall {
  const { session, subagent, cwd, timeMs, id, tool, input } = call;
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: session,
    ...(cwd === null ? {} : { cwd }),
    ...(subagent === null ? {} : { agent_id: subagent }),
    ...(timeMs === null ? {} : { timestamp: new Date(timeMs).toISOString() }),
    tool_name: tool,
    tool_input: input,
    ...(id === null ? {} : { tool_use_id: id }),
  };
  return { payload, env: {} };
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A folder's name as it can be judged by: absolute, and no longer than a system takes. */
export function folderOf(value: unknown): string | null {
  const isFolder =
    typeof value === "string" && value.startsWith("/") && value.length < 4_096 && !value.includes("\0");
  return isFolder ? value : null;
}

/** The last moment a `Date` can be. */
const maxTimeMs = 8.64e15;

/** A time as agents write it: ISO, or milliseconds since 1970. */
export function timeOf(value: unknown): number | null {
  const timeMs = typeof value === "string" ? Date.parse(value) : value;
  return typeof timeMs === "number" && Math.abs(timeMs) <= maxTimeMs ? timeMs : null;
}
