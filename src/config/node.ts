import { SwarmError } from "../base/errors.ts";
import { show } from "../base/show.ts";
import { showValue } from "./show-value.ts";

/** A place in a file, as editors count: from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A file's data, each part with its place, so that whatever is wrong with it can be pointed at. */
export type ConfigNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: "scalar";
  readonly at: Position;
  readonly value: string | number | boolean | null;
}

export interface ListNode {
  readonly kind: "list";
  readonly at: Position;
  readonly items: readonly ConfigNode[];
}

export interface MapNode {
  readonly kind: "map";
  readonly at: Position;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: string;
  /** Place of the key. */
  readonly at: Position;
  readonly value: ConfigNode;
}

export function hasKey(node: ConfigNode, keys: readonly string[]): node is MapNode {
  return node.kind === "map" && node.entries.some(({ key }) => keys.includes(key));
}

/** A node as it may stand in an error message. */
export function showNode(node: ConfigNode): string {
  if (node.kind === "scalar") return showValue(node.value);
  return node.kind === "list" ? "a list" : "a map";
}

/** A node as the data it stands for. */
export function plainOf(node: ConfigNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plainOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
}

export function invalid(file: string, at: Position, problem: string, cause?: unknown): SwarmError {
  const { line, column } = at;
  return new SwarmError(
    "SWARM_CONFIG_INVALID",
    { file, line, column, problem },
    cause === undefined ? undefined : { cause },
  );
}

/** Runs a check that knows nothing of files; what it refuses is refused at `at`. */
export function checkAt<T>(file: string, at: Position, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof SwarmError) throw invalid(file, at, error.message, error);
    throw error;
  }
}

export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? "" : `, did you mean ${show(suggestion)}?`;
}
