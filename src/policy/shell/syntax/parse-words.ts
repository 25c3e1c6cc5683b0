import { unquoteAnsiC } from "./ansi-c.ts";
import type { Part, Script, Word } from "./tree.ts";

/** The line is not one a shell would take, or is nested deeper than we follow. */
export class ShellSyntaxError extends Error {}

const maxDepth = 40;
/** What ends a word unless it is quoted. */
const wordEnd = /[ \t\r\n;&|()<>]/;
const plainRun = /[^\\'"`$ \t\r\n;&|()<>{}]+/y;
const quotedRun = /[^"`$\\]+/y;
const nameRun = /[A-Za-z_][A-Za-z0-9_]*/y;
const special = /[@*#?$!0-9-]/;

/** Where a word stands in the line it was read from. */
export interface WordPlace {
  readonly start: number;
  readonly end: number;
}

/** Reads the words of a line, one character after the other. Commands within words are read by whoever extends it. */
export abstract class WordParser {
  protected readonly text: string;
  protected at = 0;
  #depth = 0;
  /** Filled for lines of which words are replaced later: in these only what all shells read alike is read. */
  readonly #places: Map<Word, WordPlace> | null;

  constructor(text: string, places: Map<Word, WordPlace> | null = null) {
    this.text = text;
    this.#places = places;
  }

  protected get isPortable(): boolean {
    return this.#places !== null;
  }

  /** Refuses what some shells read in another way, or not at all, where that counts. */
  protected refuseUnlessBash(what: string): void {
    if (this.isPortable) throw new ShellSyntaxError(`${what} is not read in the same way by all shells`);
  }

  /** Reads commands up to the closing character, which is consumed. */
  protected abstract parseScript(end: ")" | "`" | null): Script;

  protected get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  protected sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  protected deeper<T>(parse: () => T): T {
    if (++this.#depth > maxDepth) throw new ShellSyntaxError("it is nested too deeply");
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  /** A word of a command. Empty when none begins here. */
  protected parseWord(): Word {
    const parts: Part[] = [];
    const start = this.at;
    while (!this.isAtEnd) {
      const character = this.text[this.at] as string;
      if ((character === "<" || character === ">") && this.text[this.at + 1] === "(") {
        // Only where a word begins; after something else it is a redirection of a group.
        if (parts.length > 0) break;
        this.refuseUnlessBash("a process as a file");
        this.at += 2;
        parts.push({ kind: "process", script: this.#script(")"), isInput: character === "<" });
      } else if (wordEnd.test(character)) break;
      else this.#parsePart(parts, character);
    }
    this.#places?.set(parts, { start, end: this.at });
    return parts;
  }

  /** Everything up to a text as between double quotes: a here-document, arithmetic. */
  protected parseQuotedText(end: string | null): Word {
    const parts: Part[] = [];
    this.#parseQuoted(parts, end);
    return parts;
  }

  #parsePart(parts: Part[], character: string): void {
    switch (character) {
      case "\\":
        this.#parseEscape(parts);
        return;
      case "'":
        this.at++;
        parts.push(text(this.#until("'"), true));
        return;
      case '"':
        this.at++;
        this.#parseDoubleQuoted(parts);
        return;
      case "$":
        this.#parseDollar(parts, false);
        return;
      case "`":
        parts.push(this.#parseBackticks(false));
        return;
      case "{":
      case "}":
        this.at++;
        parts.push(text(character, false));
        return;
      default: {
        plainRun.lastIndex = this.at;
        const run = plainRun.exec(this.text)?.[0] ?? character;
        this.at += run.length;
        parts.push(text(run, false));
      }
    }
  }

  #parseEscape(parts: Part[]): void {
    const next = this.text[this.at + 1];
    if (next === undefined) this.refuseUnlessBash("a \\ at the end");
    this.at += 2;
    // A line that is continued; at the very end the backslash stands for itself.
    if (next !== "\n") parts.push(text(next ?? "\\", true));
  }

  #parseDoubleQuoted(parts: Part[]): void {
    // Even "" makes a word.
    parts.push(text("", true));
    this.#parseQuoted(parts, '"');
  }

  #parseQuoted(parts: Part[], end: string | null): void {
    for (;;) {
      if (this.isAtEnd) {
        if (end === null) return;
        throw new ShellSyntaxError(`a ${end} is missing`);
      }
      if (end !== null && this.sees(end)) {
        this.at += end.length;
        return;
      }
      const character = this.text[this.at] as string;
      if (character === "$") this.#parseDollar(parts, true);
      else if (character === "`") parts.push(this.#parseBackticks(true));
      else if (character === "\\") {
        const next = this.text[this.at + 1] ?? "";
        this.at += 2;
        if (next === "\n") continue;
        parts.push(text('$`"\\'.includes(next) && next !== "" ? next : `\\${next}`, true));
      } else {
        quotedRun.lastIndex = this.at;
        const run = end === null || end === '"' ? quotedRun.exec(this.text)?.[0] : undefined;
        const taken = run ?? character;
        this.at += taken.length;
        parts.push(text(taken, true));
      }
    }
  }

  #parseDollar(parts: Part[], isQuoted: boolean): void {
    const next = this.text[this.at + 1] ?? "";
    if (next === "(") {
      parts.push(this.#arithmetic() ?? this.#substitution(isQuoted));
    } else if (next === "{") {
      this.at += 2;
      parts.push(this.deeper(() => this.#parseBraced(isQuoted)));
    } else if (next === "'" && !isQuoted) {
      this.refuseUnlessBash("$'…'");
      this.at += 2;
      parts.push(text(unquoteAnsiC(this.#untilUnescaped("'")), true));
    } else if (next === '"' && !isQuoted) {
      this.refuseUnlessBash('$"…"');
      this.at += 2;
      this.#parseDoubleQuoted(parts);
    } else if (next === "[") {
      this.refuseUnlessBash("$[…]");
      this.at += 2;
      parts.push({ kind: "number", expression: this.parseQuotedText("]") });
    } else {
      this.at++;
      const name = this.#parseName() ?? (special.test(next) ? next : null);
      if (name === null) parts.push(text("$", isQuoted));
      else {
        if (name === next) this.at += /[A-Za-z_]/.test(next) ? 0 : 1;
        parts.push({ kind: "variable", name, operator: null, argument: [], isQuoted });
      }
    }
  }

  #substitution(isQuoted: boolean): Part {
    this.at += 2;
    return { kind: "substitution", script: this.#script(")"), isQuoted };
  }

  #script(end: ")"): Script {
    return this.deeper(() => this.parseScript(end));
  }

  /** `$(( … ))`, or null and nothing read when it turns out to be a subshell in a substitution. */
  #arithmetic(): Part | null {
    const begin = this.at + "$((".length;
    const end = this.sees("$((") ? closingOf(this.text, begin) : -1;
    if (this.sees("$((")) this.refuseUnlessBash("arithmetic");
    if (end === -1) return null;
    this.at = end + 2;
    return { kind: "number", expression: this.quotedWord(this.text.slice(begin, end)) };
  }

  /** A text as between double quotes. Commands in it run. */
  protected quotedWord(inside: string): Word {
    return this.deeper(() => this.nested(inside).parseQuotedText(null));
  }

  /** The same parser for a text of its own. */
  protected abstract nested(text: string): WordParser;

  #parseBackticks(isQuoted: boolean): Part {
    this.refuseUnlessBash("`…`");
    this.at++;
    const inside = this.#untilUnescaped("`").replaceAll(isQuoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
    return { kind: "substitution", script: this.deeper(() => this.nested(inside).whole()), isQuoted };
  }

  /** Everything there is, as commands. */
  abstract whole(): Script;

  #parseBraced(isQuoted: boolean): Part {
    const isIndirect = this.sees("!") && !this.sees("!}");
    const isLength = this.sees("#") && !this.sees("#}");
    if (isIndirect || isLength) this.at++;
    const name = this.#parseName() ?? this.#parseSpecial();
    let operator = isIndirect ? "!" : isLength ? "length" : null;
    let subscript: Word = [];
    if (this.sees("[")) {
      this.at++;
      operator ??= "[";
      subscript = this.parseQuotedText("]");
    }
    const found = /^(:[-=?+]|[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|@|:)/.exec(
      this.text.slice(this.at, this.at + 2),
    );
    if (found !== null) {
      operator ??= found[0];
      this.at += found[0].length;
    }
    if (operator !== null) this.refuseUnlessBash(`\${${operator}}`);
    const argument = [...subscript, ...this.#parseBraceArgument(isQuoted)];
    return { kind: "variable", name, operator, argument, isQuoted };
  }

  #parseSpecial(): string {
    const character = this.text[this.at] ?? "";
    if (!special.test(character)) throw new ShellSyntaxError("a name is missing after ${");
    const digits = /^\d+/.exec(this.text.slice(this.at, this.at + 10))?.[0] ?? character;
    this.at += digits.length;
    return digits;
  }

  #parseBraceArgument(isQuoted: boolean): Word {
    const parts: Part[] = [];
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw new ShellSyntaxError("a } is missing");
      if (character === "}") {
        this.at++;
        return parts;
      }
      if (isQuoted && character === "'") {
        this.at++;
        parts.push(text("'", true));
      } else if (wordEnd.test(character) || character === "{") {
        this.at++;
        parts.push(text(character, isQuoted));
      } else this.#parsePart(parts, character);
    }
  }

  #parseName(): string | null {
    nameRun.lastIndex = this.at;
    const name = nameRun.exec(this.text)?.[0];
    if (name === undefined) return null;
    this.at += name.length;
    return name;
  }

  /** The text before a character, which is consumed too. */
  #until(end: string): string {
    const at = this.text.indexOf(end, this.at);
    if (at === -1) throw new ShellSyntaxError(`a ${end} is missing`);
    const found = this.text.slice(this.at, at);
    this.at = at + 1;
    return found;
  }

  #untilUnescaped(end: string): string {
    for (let at = this.at; at < this.text.length; at++) {
      if (this.text[at] === "\\") at++;
      else if (this.text[at] === end) {
        const found = this.text.slice(this.at, at);
        this.at = at + 1;
        return found;
      }
    }
    throw new ShellSyntaxError(`a ${end} is missing`);
  }
}

/** Nobody calculates longer; without a bound a line of many beginnings would be read again from each of them. */
const maxArithmeticChars = 1_000;

/** Where the `))` is that closes what begins at `from`; -1 when it is closed otherwise. */
export function closingOf(line: string, from: number): number {
  let open = 0;
  for (let at = from; at < Math.min(line.length, from + maxArithmeticChars); at++) {
    const character = line[at];
    if (character === "(") open++;
    else if (character === ")") {
      if (open === 0) return line[at + 1] === ")" ? at : -1;
      open--;
    }
  }
  return -1;
}

function text(value: string, isQuoted: boolean): Part {
  return { kind: "text", text: value, isQuoted };
}
