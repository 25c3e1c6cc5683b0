import type { ConfigNode } from "./node.ts";

/** What a key's value may be. `node` is checked by whoever reads it. */
interface ValueTypes {
  readonly text: string;
  readonly texts: readonly string[];
  /** A text alone stands for a list of it. */
  readonly text_or_texts: readonly string[];
  readonly text_map: Readonly<Record<string, string>>;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly node: ConfigNode;
}

/** One key of a map in a file: what the loader checks, and what the JSON Schema says, come from here. */
export interface Key {
  readonly doc: string;
  readonly type: keyof ValueTypes;
  readonly isRequired?: true;
  /** The only texts it may be. */
  readonly values?: readonly string[];
  /** What its text, or each of its texts, looks like, and how that is said in words. */
  readonly pattern?: RegExp;
  readonly expected?: string;
  /** Of the number, or of how many there are. */
  readonly min?: number;
  readonly max?: number;
  readonly mayBeEmpty?: true;
  /** Never shown in a message. */
  readonly isSecret?: true;
  /** Only in the user's own file. */
  readonly isUsers?: true;
  /** In the user's or a project's file: a plugin declares no program and no address outside its hooks. */
  readonly isNoPlugins?: true;
  /** For `node`: the map it is, the map each of its values is, or the maps of the list it is. */
  readonly keys?: KeyTable;
  readonly valueKeys?: KeyTable;
  readonly items?: KeyTable;
}

export type KeyTable = Readonly<Record<string, Key>>;

/** The type of a key's value. */
export type ValueOf<K extends Key> = K["values"] extends readonly (infer V)[]
  ? K["type"] extends "texts" | "text_or_texts"
    ? readonly V[]
    : V
  : ValueTypes[K["type"]];
