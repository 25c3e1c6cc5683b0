/** A word of a shell line and the place it has in it. */
export interface ShellWord {
  readonly start: number;
  readonly end: number;
  /** What the shell makes of it; null when that is known only when it runs. */
  readonly text: string | null;
}

/** One simple command of a line, and within how many parentheses it stands: what it changes ends with them. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly depth: number;
}

/**
 * The simple commands in a line for `/bin/sh`, those within `$( )` and `( )` too; null when the line has something this
 * does not read. It reads less than a shell does, and reads that as every POSIX shell: words are put in the place of
 * others later, and one mistake about a quote would run something nobody has seen.
 *
 * Not read: here-documents, backquotes, `case`, `alias`, arithmetic, `${x:-…}`, `$'…'`, lines that go on after `\\`.
 */
export function readShellLine(
  line: string,
  variables: Readonly<Record<string, string>>,
): readonly ShellCommand[] | null {
  try {
    return new ShellReader(line, variables).read();
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

/** Thrown at what is not read; never leaves this file. */
class Unread extends Error {}

class ShellReader {
  readonly #line: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #commands: ShellCommand[] = [];
  #at = 0;

  constructor(line: string, variables: Readonly<Record<string, string>>) {
    this.#line = line;
    this.#variables = variables;
  }

  read(): readonly ShellCommand[] {
    // A shell takes it out before anything else, in the middle of `$(` too.
    if (this.#line.includes("\\\n")) throw new Unread();
    this.#readList(0);
    return this.#commands;
  }

  /** Commands up to the parenthesis that closes them, or at depth 0 to the end of the line. */
  #readList(depth: number): void {
    let words: ShellWord[] = [];
    const endCommand = (): void => {
      if (words.length > 0) this.#commands.push({ words, depth });
      words = [];
    };
    for (;;) {
      const next = this.#line[this.#at] ?? end;
      if (next === end || next === ")") {
        if ((next === end) !== (depth === 0)) throw new Unread();
        this.#at++;
        break;
      }
      if (next === " " || next === "\t") this.#at++;
      else if (next === "#") this.#skipComment();
      else if (next === "<" || next === ">") this.#skipRedirection(depth);
      else if (/[;&|\n(]/.test(next)) {
        this.#at++;
        endCommand();
        if (next === "(" && this.#line[this.#at] === "(") throw new Unread(); // arithmetic, for some shells
        if (next === "(") this.#readList(depth + 1);
      } else words.push(...this.#readArgument(depth));
    }
    endCommand();
  }

  #readArgument(depth: number): ShellWord[] {
    const word = this.#readWord(depth);
    // The one closes parentheses it has not opened, the other can make it of any word.
    if (word.text === "case" || word.text === "alias") throw new Unread();
    // `2>`: the number belongs to what follows.
    const isDescriptor = /^\d+[<>]/.test(this.#line.slice(word.start, word.end + 1));
    return isDescriptor ? [] : [word];
  }

  #skipComment(): void {
    const end = this.#line.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }

  /** `> file`, `2>&1`, `< file`: where something comes from or goes to is nothing that runs. */
  #skipRedirection(depth: number): void {
    const [operator = ""] = /^[<>]{1,2}[&|]?/.exec(this.#line.slice(this.#at)) ?? [];
    this.#at += operator.length;
    if (operator.startsWith("<<") || operator === "><" || this.#line[this.#at] === "(") throw new Unread();
    while (/^[ \t]$/.test(this.#line[this.#at] ?? "")) this.#at++;
    if (/^[\s;&|()<>]?$/.test(this.#line[this.#at] ?? "")) throw new Unread();
    this.#readWord(depth);
  }

  #readWord(depth: number): ShellWord {
    const start = this.#at;
    let text: string | null = "";
    const add = (part: string | null): void => {
      text = text === null || part === null ? null : text + part;
    };
    for (;;) {
      const next = this.#line[this.#at];
      if (next === undefined || /[ \t\n;&|()<>]/.test(next)) break;
      if (next === "'") add(this.#readSingleQuoted());
      else if (next === '"') add(this.#readDoubleQuoted(depth));
      else if (next === "\\") add(this.#readEscape());
      else if (next === "$") add(this.#readDollar(depth));
      else if (next === "`") throw new Unread();
      else {
        this.#at++;
        // A shell makes other words of these, or none.
        const isPattern = /[*?[\]{}]/.test(next) || (next === "~" && this.#at === start + 1);
        add(isPattern ? null : next);
      }
    }
    const written = this.#line.slice(start, this.#at);
    // A brace alone begins a group; of an assignment the name is known, whatever its value.
    const [known] = /^(?:[{}]$|[A-Za-z_]\w*=)/.exec(written) ?? [];
    return { start, end: this.#at, text: text ?? known ?? null };
  }

  #readSingleQuoted(): string {
    const end = this.#line.indexOf("'", this.#at + 1);
    if (end === -1) throw new Unread();
    const text = this.#line.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  #readDoubleQuoted(depth: number): string | null {
    this.#at++;
    let text: string | null = "";
    for (;;) {
      const next = this.#line[this.#at];
      if (next === undefined || next === "`") throw new Unread();
      if (next === '"') {
        this.#at++;
        return text;
      }
      let part: string | null = next;
      if (next === "$") part = this.#readDollar(depth);
      else if (next === "\\" && /^[$`"\\]$/.test(this.#line[this.#at + 1] ?? "")) part = this.#readEscape();
      else this.#at++;
      text = text === null || part === null ? null : text + part;
    }
  }

  #readEscape(): string {
    const escaped = this.#line[this.#at + 1];
    if (escaped === undefined) throw new Unread();
    this.#at += 2;
    return escaped;
  }

  /** A variable of ours is known; any other, and what a command prints, is not. */
  #readDollar(depth: number): string | null {
    const rest = this.#line.slice(this.#at);
    if (rest.startsWith("$(")) {
      if (rest.startsWith("$((")) throw new Unread();
      this.#at += 2;
      this.#readList(depth + 1);
      return null;
    }
    const [written, braced, plain] = /^\$(?:\{(\w+)\}|([A-Za-z_]\w*|[0-9@*#?$!-]))/.exec(rest) ?? [];
    if (written === undefined) {
      if (/^\$[{'"]/.test(rest)) throw new Unread();
      this.#at++;
      return "$";
    }
    this.#at += written.length;
    const name = braced ?? plain ?? "";
    return Object.hasOwn(this.#variables, name) ? (this.#variables[name] ?? null) : null;
  }
}

/** No character is it. */
const end = "";
