import type { Field, ValueOf } from "../engine/events/schema.ts";
import type { ConfigNode } from "./node.ts";

/** A key of a map in a file: a field, and what only a file has to say of one. The loader and the JSON Schema follow it. */
export interface ConfigField extends Field {
  readonly mayBeEmpty?: true;
  /** Of `strings`: a text alone stands for a list of it. */
  readonly mayBeAlone?: true;
  /** Of `object`: a map of texts. */
  readonly isOfTexts?: true;
  /** Never shown in a message. */
  readonly isSecret?: true;
  /** Only in the user's own file. */
  readonly isUsers?: true;
  /** In the user's or a project's file: a plugin declares no program and no address outside its hooks. */
  readonly isNoPlugins?: true;
  /** Of `any`: the map it is, the map each of its values is, or the maps of the list it is. */
  readonly keys?: ConfigFields;
  readonly valueKeys?: ConfigFields;
  readonly items?: ConfigFields;
}

export type ConfigFields = Readonly<Record<string, ConfigField>>;

/** The type of what a file has for a key. What has parts is checked by whoever reads those. */
export type ReadValueOf<F extends ConfigField> = F extends { readonly isOfTexts: true }
  ? Readonly<Record<string, string>>
  : F["type"] extends "any" | "object" | "array"
    ? ConfigNode
    : ValueOf<F>;
