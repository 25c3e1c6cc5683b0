import { type Expanding, expandFields, expandText } from "./expand.ts";
import { isLoader } from "./loaders.ts";
import { marks } from "./marks.ts";
import type { Assignment } from "./syntax.ts";
import type { ShellState } from "./variables.ts";

/** Gives variables their values, and notes which of them are given several. */
export class Assigning {
  /** Variables that are given different values: which one holds where is not followed. */
  readonly ambiguous: Set<string>;
  readonly #opaque: Set<string>;

  constructor(ambiguous: Set<string>, opaque: Set<string>) {
    this.ambiguous = ambiguous;
    this.#opaque = opaque;
  }

  assign(state: ShellState, name: string, value: string): void {
    this.look(name, value);
    if (state.isArray(name)) this.#assignArray(state, name, [value], false);
    const known = state.variables.get(name);
    if (known !== undefined && known !== value) this.ambiguous.add(name);
    state.variables.set(name, this.ambiguous.has(name) ? marks.unknown : value);
  }

  /** What a variable is given. An array has its words from here on. */
  valueOf({ name, words, isOpen, isArray }: Assignment, expanding: Expanding): string {
    if (!isOpen && !isArray) return expandText(words[0] ?? [], expanding);
    const fields = words.flatMap((word) => expandFields(word, expanding));
    if (isArray) this.#assignArray(expanding.state, name, fields.map(withoutIndex), isOpen);
    return marks.unknown;
  }

  look(name: string, value: string): void {
    if (isLoader(name, value)) this.#opaque.add(`${name} has a program load other code`);
  }

  /** One that is given other words later has those of a moment that is not followed: none of them is known. */
  #assignArray(state: ShellState, name: string, words: readonly string[], isMore: boolean): void {
    if (!isMore && state.hasOtherWords(name, words)) this.ambiguous.add(name);
    if (this.ambiguous.has(name)) state.forgetWords(name);
    else if (isMore || !state.isArray(name)) state.extend(name, words);
  }
}

/** `([0]=word)` */
function withoutIndex(word: string): string {
  return word.replace(/^(?:\[[^\]]*\]|\uE002)=/, "");
}
