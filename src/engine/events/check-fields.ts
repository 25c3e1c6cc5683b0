import { SwarmError } from "../../base/swarm-error.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { suggest } from "../../base/suggest.ts";
import { expectation, type Field, type Fields, type JsonObject, misfit } from "./schema.ts";

/** A larger configuration belongs in a file whose path it names. */
const maxConfigChars = 65_536;

/** Checks what was given by the table of its fields. A name nobody asked for is a mistake somebody should hear of. */
export function checkFields(
  where: string,
  fields: Fields,
  given: JsonObject,
  misfitOf: (field: Field, value: unknown) => string | null = misfit,
): void {
  for (const option of Object.keys(given)) {
    if (Object.hasOwn(fields, option)) continue;
    const suggestion = suggest(option, Object.keys(fields));
    throw new SwarmError("SWARM_OPTION_UNKNOWN", { where, option, suggestion });
  }
  for (const [option, field] of Object.entries(fields)) {
    const value = given[option];
    if (value === undefined && field.isRequired !== true) continue;
    const expected = misfitOf(field, value);
    if (expected !== null) throw invalidOption(where, option, expected, value);
  }
}

/** As `misfit`, of what people write: an empty text is one they forgot, and a NUL ends a program's argument early. */
export function writtenMisfit(field: Field & { readonly mayBeEmpty?: true }, value: unknown): string | null {
  const isMeant =
    typeof value !== "string" || ((value !== "" || field.mayBeEmpty === true) && !value.includes("\0"));
  return isMeant ? misfit(field, value) : expectation(field);
}

/** As `writtenMisfit`, of what is stored, which half of a surrogate pair cannot be. */
export function settingMisfit(field: Field, value: unknown): string | null {
  const isStorable = typeof value !== "string" || value.isWellFormed();
  return isStorable ? writtenMisfit(field, value) : expectation(field);
}

/** What a kind of task or processor takes. */
export interface Configured {
  readonly fields: Fields;
  check?(config: JsonObject, cwd?: string): { readonly option: string; readonly expected: string } | null;
}

export function checkConfig(where: string, kind: Configured, config: JsonObject, cwd?: string): void {
  checkFields(where, kind.fields, config);
  const text = JSON.stringify(config);
  if (text.length > maxConfigChars || !text.isWellFormed())
    throw invalidOption(where, "config", `at most ${maxConfigChars} characters of JSON`, config);
  const problem = kind.check?.(config, cwd) ?? null;
  if (problem !== null) throw invalidOption(where, problem.option, problem.expected, config[problem.option]);
}
