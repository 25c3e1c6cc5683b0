import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { suggest } from "../../base/suggest.ts";
import { type Fields, type JsonObject, misfit } from "./schema.ts";

/** One thing that can be said of a job or a batch run, wherever it is said: in a file, by REST or on the command line. */
export interface SettingKey {
  readonly type: "text" | "integer" | "boolean" | "object";
  readonly doc: string;
  readonly isRequired?: true;
  readonly values?: readonly string[];
  readonly pattern?: RegExp;
  readonly expected?: string;
  readonly min?: number;
  readonly max?: number;
}

/** A larger configuration belongs in a file whose path it names. */
const maxConfigChars = 65_536;

export function checkSetting(where: string, option: string, key: SettingKey, value: unknown): void {
  const { type, values, pattern, expected, min = -Infinity, max = Infinity } = key;
  const refuse = (words: string) => invalidOption(where, option, expected ?? words, value);
  switch (type) {
    case "text":
      if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed())
        throw refuse("a text");
      if (values?.includes(value) === false) throw refuse(values.join(", "));
      if (pattern?.test(value) === false) throw refuse("another text");
      return;
    case "integer":
      if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max)
        throw refuse(`a whole number from ${min} to ${max}`);
      return;
    case "boolean":
      if (typeof value !== "boolean") throw refuse("true or false");
      return;
    case "object":
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("an object");
  }
}

/** What a kind of task or processor takes. */
export interface Configured {
  readonly fields: Fields;
  check?(config: JsonObject, cwd?: string): { readonly option: string; readonly expected: string } | null;
}

export function checkConfig(where: string, kind: Configured, config: JsonObject, cwd?: string): void {
  for (const [option, value] of Object.entries(config)) {
    const field = Object.hasOwn(kind.fields, option) ? kind.fields[option] : undefined;
    if (field === undefined) {
      const suggestion = suggest(option, Object.keys(kind.fields));
      throw new SwarmError("SWARM_OPTION_UNKNOWN", { where, option, suggestion });
    }
    const expected = misfit(field, value);
    if (expected !== null) throw invalidOption(where, option, expected, value);
  }
  for (const [option, field] of Object.entries(kind.fields)) {
    if (field.isRequired && config[option] === undefined)
      throw invalidOption(where, option, field.doc, undefined);
  }
  const text = JSON.stringify(config);
  if (text.length > maxConfigChars || !text.isWellFormed())
    throw invalidOption(where, "config", `at most ${maxConfigChars} characters of JSON`, config);
  const problem = kind.check?.(config, cwd) ?? null;
  if (problem !== null) throw invalidOption(where, problem.option, problem.expected, config[problem.option]);
}
