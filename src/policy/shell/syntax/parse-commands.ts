import { ShellSyntaxError, WordParser } from "./parse-words.ts";
import type { Assignment, Part, Redirect, SimpleCommand, Stage, Word } from "./tree.ts";

const redirectOperator = /(?:\d+|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>\||>&|>)/y;
const assignmentStart = /([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\n]{0,200}\])?(\+?)=/y;

interface PendingHeredoc {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly take: (body: Word) => void;
}

/** Reads single commands: their words, assignments and redirections, and what stands between commands. */
export abstract class CommandParser extends WordParser {
  readonly #heredocs: PendingHeredoc[] = [];

  /** After the name of a function. */
  protected abstract parseFunctionBody(name: string): Stage;

  protected parseSimple(): Stage {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.parseRedirect(redirects)) continue;
      if (words.length === 0 && this.#parseAssignment(assignments)) continue;
      const name = words.length === 0 ? this.peekWord() : "";
      const word = this.parseWord();
      if (word.length === 0) break;
      words.push(word);
      // `declare -a x=(a b)`
      if (words.length > 1 && this.sees("(") && endsWithEquals(word)) {
        for (const inner of this.#parseArray()) words.push(inner);
      }
      if (
        name !== "" &&
        assignments.length === 0 &&
        /[ \t]*\(\s*\)/y.test(this.text.slice(this.at, this.at + 40))
      ) {
        return this.parseFunctionBody(name);
      }
    }
    if (words.length + assignments.length + redirects.length === 0) {
      throw new ShellSyntaxError(`${this.isAtEnd ? "the end" : this.text[this.at]} is not expected there`);
    }
    return { kind: "simple", assignments, words, redirects } satisfies SimpleCommand;
  }

  #parseAssignment(assignments: Assignment[]): boolean {
    assignmentStart.lastIndex = this.at;
    const [whole, name = "", subscript, plus] = assignmentStart.exec(this.text) ?? [];
    if (whole === undefined) return false;
    if (subscript !== undefined) this.refuseUnlessBash("a word of an array");
    this.at += whole.length;
    const isArray = this.sees("(");
    const words = isArray ? this.#parseArray() : [this.parseWord()];
    if (subscript !== undefined) words.push(this.quotedWord(subscript));
    const isElement = subscript !== undefined;
    assignments.push({ name, isOpen: plus === "+", isArray: isArray || isElement, isElement, words });
    return true;
  }

  #parseArray(): Word[] {
    this.refuseUnlessBash("an array");
    this.at++;
    const words = this.parseWords(true);
    if (!this.sees(")")) throw new ShellSyntaxError("a ) is missing");
    this.at++;
    return words;
  }

  protected parseWords(areLines = false): Word[] {
    const words: Word[] = [];
    for (;;) {
      if (areLines) this.skipNewlines();
      else this.skipBlanks();
      const word = this.parseWord();
      if (word.length === 0) return words;
      words.push(word);
    }
  }

  protected parseRedirect(redirects: Redirect[]): boolean {
    redirectOperator.lastIndex = this.at;
    const [whole, operator = ""] = redirectOperator.exec(this.text) ?? [];
    if (whole === undefined) return false;
    // `<( … )` begins a word.
    if ((operator === "<" || operator === ">") && this.text[this.at + whole.length] === "(") {
      if (whole.length === 1) return false;
    }
    if (operator.startsWith("<<") || whole.startsWith("{")) this.refuseUnlessBash(whole);
    this.at += whole.length;
    this.skipBlanks();
    const target = this.parseWord();
    if (target.length === 0) throw new ShellSyntaxError(`nothing follows ${operator}`);
    if (operator === "<<" || operator === "<<-") this.#expectHeredoc(operator, target, redirects);
    else redirects.push({ operator, target });
    return true;
  }

  #expectHeredoc(operator: string, delimiter: Word, redirects: Redirect[]): void {
    const place = redirects.length;
    redirects.push({ operator: "<<", target: [] });
    this.#heredocs.push({
      delimiter: delimiter.map((part) => (part.kind === "text" ? part.text : "")).join(""),
      isQuoted: delimiter.some((part) => part.kind === "text" && part.isQuoted),
      stripsTabs: operator === "<<-",
      take: (body) => {
        redirects[place] = { operator: "<<", target: body };
      },
    });
  }

  /** The bodies stand after the line that announces them. */
  #readHeredocs(): void {
    for (const { delimiter, isQuoted, stripsTabs, take } of this.#heredocs.splice(0)) {
      const lines: string[] = [];
      while (!this.isAtEnd) {
        const end = this.text.indexOf("\n", this.at);
        const line = this.text.slice(this.at, end === -1 ? undefined : end);
        this.at = end === -1 ? this.text.length : end + 1;
        const stripped = stripsTabs ? line.replace(/^\t+/, "") : line;
        if (stripped === delimiter) break;
        lines.push(`${stripped}\n`);
      }
      const body = lines.join("");
      const plain: Part = { kind: "text", text: body, isQuoted: true };
      take(isQuoted ? [plain] : this.quotedWord(body));
    }
  }

  /** The characters up to the next blank or operator, as they stand; quotes are among them. */
  protected peekWord(): string {
    const run = /[^ \t\r\n;&|()<>]+/y;
    run.lastIndex = this.at;
    return run.exec(this.text)?.[0] ?? "";
  }

  /** Blanks, continued lines and a comment. */
  protected skipBlanks(): void {
    const blanks = /(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/y;
    blanks.lastIndex = this.at;
    const skipped = blanks.exec(this.text)?.[0] ?? "";
    if (this.isPortable && skipped.includes("\r")) this.refuseUnlessBash("a carriage return");
    this.at += skipped.length;
  }

  protected skipNewlines(): void {
    for (;;) {
      this.skipBlanks();
      if (!this.sees("\n")) return;
      this.at++;
      this.#readHeredocs();
    }
  }

  /** Returns what stands between two commands, without line breaks. */
  protected skipSeparators(): string[] {
    const skipped: string[] = [];
    for (;;) {
      this.skipNewlines();
      if (this.sees(";;") || this.sees(";&")) return skipped;
      const length = this.sees("&&") || this.sees("||") ? 2 : this.sees(";") || this.sees("&") ? 1 : 0;
      if (length === 0) return skipped;
      skipped.push(this.text.slice(this.at, this.at + length));
      this.at += length;
    }
  }
}

function endsWithEquals(word: Word): boolean {
  const last = word.at(-1);
  return last?.kind === "text" && !last.isQuoted && /.=$/.test(last.text);
}
