import { type Expanding, expandFields, expandText, maxValueChars } from "../expand/expand.ts";
import { isLoader } from "./loaders.ts";
import { marks } from "../marks.ts";
import type { Assignment } from "../syntax/tree.ts";
import type { State } from "./state.ts";
import type { VariableMode } from "./exploration.ts";

/** Variables that are given several values, and those. */
export type Ambiguous = ReadonlyMap<string, ReadonlySet<string>>;

/** Gives variables their values, and notes which of them are given several. */
export class Assigning {
  readonly ambiguous: Map<string, Set<string>>;
  readonly #mode: VariableMode;
  readonly #opaque: Set<string>;
  /** All that were given a value. */
  readonly names = new Set<string>();
  /** Within parts that may not come to run, or are processes of their own: how many. */
  depth = 0;

  constructor(ambiguous: Ambiguous, mode: VariableMode, opaque: Set<string>) {
    this.ambiguous = new Map([...ambiguous].map(([name, values]) => [name, new Set(values)]));
    this.#mode = mode;
    this.#opaque = opaque;
  }

  assign(state: State, name: string, value: string): void {
    this.#begin(state, name, value);
    if (state.isArray(name)) this.#assignArray(state, name, [value], false);
    const known = state.variables.get(name);
    // A line without branches is followed as it stands.
    if (this.depth > 0 && known !== undefined && known !== value) this.note(name, known, value);
    state.variables.set(name, this.#read(name, value));
  }

  /** One of several values, the first unless something comes back for the others. */
  assignSeveral(state: State, name: string, values: readonly string[]): void {
    const [first = ""] = values;
    this.#begin(state, name, first);
    if (values.length > 1) this.note(name, ...values);
    state.variables.set(name, this.#read(name, first));
  }

  /** `$1`, `$2` … were changed where that may not have happened. */
  forgetArguments(state: State): void {
    if (this.#mode === "last") this.note("@");
    else state.positional = null;
  }

  /** Of a loop whose rounds are followed one by one, values are not several at once. */
  assignRound(state: State, name: string, value: string): void {
    this.#begin(state, name, value);
    state.variables.set(name, this.#read(name, value));
  }

  #begin(state: State, name: string, value: string): void {
    this.look(name, value);
    this.names.add(name);
    if (state.exportsAll) state.exported.set(name, "yes");
  }

  /** What a variable is given. An array has its words from here on. */
  valueOf({ name, words, isOpen, isArray, isElement }: Assignment, expanding: Expanding): string {
    if (isArray) {
      const fields = words.flatMap((word) => expandFields(word, expanding));
      if (isElement) this.#assignElement(expanding.state, name, fields);
      else this.#assignArray(expanding.state, name, fields.map(withoutIndex), isOpen);
      return marks.unknown;
    }
    const text = expandText(words[0] ?? [], expanding);
    return isOpen ? appended(expanding.state, name, text) : text;
  }

  look(name: string, value: string): void {
    if (isLoader(name, value)) this.#opaque.add(`${name} has a program load other code`);
  }

  #read(name: string, value: string): string {
    if (typeof this.#mode === "object" && this.#mode.name === name) return this.#mode.value;
    return this.#isForgotten(name) ? marks.unknown : value;
  }

  /** A variable may have any of these. */
  note(name: string, ...values: readonly string[]): void {
    const known = this.ambiguous.get(name) ?? new Set();
    for (const value of values) known.add(value);
    this.ambiguous.set(name, known);
  }

  /** One that is given other words later has those of a moment that is not followed: none of them is known. */
  #assignArray(state: State, name: string, words: readonly string[], isMore: boolean): void {
    if (this.depth > 0 && !isMore && state.hasOtherWords(name, words)) this.note(name);
    if (this.#isForgotten(name)) state.forgetWords(name);
    // Where it may have either, it has both.
    else if (isMore || (this.depth > 0 && state.isArray(name))) state.extend(name, words);
    else state.replace(name, words);
  }

  /** Which of its words this replaces is not followed. */
  #assignElement(state: State, name: string, words: readonly string[]): void {
    if (state.isArray(name)) this.note(name);
    if (this.#isForgotten(name)) state.forgetWords(name);
    else state.extend(name, words);
  }

  #isForgotten(name: string): boolean {
    return this.#mode !== "last" && this.ambiguous.has(name);
  }
}

/** `x+=text` */
export function appended(state: State, name: string, text: string): string {
  const whole = (state.variables.get(name) ?? "") + text;
  return whole.length > maxValueChars ? marks.unknown : whole;
}

/** `([0]=word)` */
function withoutIndex(word: string): string {
  return word.replace(/^(?:\[[^\]]*\]|\uE002)=/, "");
}
