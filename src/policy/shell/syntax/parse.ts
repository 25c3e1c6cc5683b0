import { CommandParser } from "./parse-commands.ts";
import { closingOf, ShellSyntaxError, type WordPlace } from "./parse-words.ts";
import type { Compound, List, Pipeline, Redirect, Script, Stage, Word } from "./tree.ts";

/** A line as commands, in the grammar of bash. Throws `ShellSyntaxError` for what is none. */
export function parseShell(text: string): Script {
  return new ScriptParser(text).whole();
}

/** A line of which words are replaced later, with the places of its words. */
export interface PortableScript {
  readonly script: Script;
  readonly places: ReadonlyMap<Word, WordPlace>;
}

/**
 * Reads a line in the part of the grammar that every POSIX shell reads alike; null when it has more in it, as one mistake
 * about a quote would put a word where nobody has seen it.
 */
export function parsePortable(text: string): PortableScript | null {
  // A shell takes it out before anything else, in the middle of `$(` too.
  if (text.includes("\\\n")) return null;
  const places = new Map<Word, WordPlace>();
  try {
    return { script: new ScriptParser(text, places).whole(), places };
  } catch (error) {
    if (error instanceof ShellSyntaxError) return null;
    throw error;
  }
}

const reservedEnds = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);

class ScriptParser extends CommandParser {
  whole(): Script {
    return this.parseScript(null);
  }

  protected nested(text: string): ScriptParser {
    return new ScriptParser(text);
  }

  protected parseScript(end: ")" | "`" | null): Script {
    const lists = this.#parseLists();
    if (end !== null) {
      if (!this.sees(end)) throw new ShellSyntaxError(`a ${end} is missing`);
      this.at += end.length;
    } else if (!this.isAtEnd) throw new ShellSyntaxError(`${this.text[this.at]} is not expected there`);
    return { lists };
  }

  /** Commands up to something that is none: the end, a `)`, `;;` or a reserved word that closes. */
  #parseLists(): List[] {
    const lists: List[] = [];
    let [pipelines, joinedBy]: [Pipeline[], string[]] = [[], []];
    for (;;) {
      const [operator = "", ...more] = this.skipSeparators();
      const isOver = this.#seesEndOfLists();
      if (!isOver && more.length === 0 && /^(?:&&|\|\|)$/.test(operator)) joinedBy.push(operator);
      else if (pipelines.length > 0) {
        lists.push({ pipelines, joinedBy, isBackground: operator === "&" });
        [pipelines, joinedBy] = [[], []];
      }
      if (isOver) return lists;
      pipelines.push(this.deeper(() => this.#parsePipeline()));
      // In zsh `*(e:…:)` runs code: what has no place here is not passed over.
      if (!this.isAtEnd && !/[;&\n)]/.test(this.text[this.at] as string) && !this.sees("||")) {
        throw new ShellSyntaxError(`${this.text[this.at]} is not expected there`);
      }
    }
  }

  #seesEndOfLists(): boolean {
    if (this.isAtEnd || this.sees(")") || this.sees(";;") || this.sees(";&")) return true;
    return reservedEnds.has(this.peekWord());
  }

  #parsePipeline(): Pipeline {
    const stages: Stage[] = [];
    for (;;) {
      this.skipBlanks();
      stages.push(this.#parseStage());
      this.skipBlanks();
      if (this.sees("||") || !this.sees("|")) return stages;
      this.at += this.sees("|&") ? 2 : 1;
      this.skipNewlines();
    }
  }

  #parseStage(): Stage {
    if (this.sees("((")) {
      this.refuseUnlessBash("((");
      const end = closingOf(this.text, this.at + 2);
      if (end !== -1) {
        const words = [this.quotedWord(this.text.slice(this.at + 2, end))];
        this.at = end + 2;
        return this.#compound({ words });
      }
    }
    if (this.sees("(")) {
      this.at++;
      const body = this.deeper(() => this.parseScript(")"));
      return this.#compound({ bodies: [body], sureBodies: 1, isSubshell: true });
    }
    switch (this.peekWord()) {
      case "!":
      case "time":
      case "coproc":
        return this.#parsePrefixed();
      case "{":
        this.at += 1;
        return this.#compound({ bodies: [this.#parseUntil("}")], sureBodies: 1 });
      case "if":
      case "while":
      case "until":
        return this.#parseBranches();
      case "for":
      case "select":
        return this.#parseFor();
      case "case":
        this.refuseUnlessBash("case");
        return this.#parseCase();
      case "function":
        return this.#parseFunction();
      case "[[":
        // To some shells it is a program like any other.
        return this.isPortable ? this.parseSimple() : this.#parseTest();
      default:
        return this.parseSimple();
    }
  }

  #parsePrefixed(): Stage {
    const prefix = this.peekWord();
    this.at += this.peekWord().length;
    this.skipBlanks();
    while (this.sees("-p ") || this.sees("-- ")) this.at += 3;
    this.skipBlanks();
    const stage = this.deeper(() => this.#parseStage());
    if (prefix === "time") return stage;
    const list: List = { pipelines: [[stage]], joinedBy: [], isBackground: prefix === "coproc" };
    // After `!` it is the failure that counts.
    return this.#compound({ bodies: [{ lists: [list] }], sureBodies: prefix === "!" ? 0 : 1 });
  }

  /** if, while, until: what stands between the reserved words is a body, the first of them the condition. */
  #parseBranches(): Compound {
    const bodies: Script[] = [];
    for (;;) {
      this.at += this.peekWord().length;
      bodies.push({ lists: this.deeper(() => this.#parseLists()) });
      const word = this.peekWord();
      if (word === "fi" || word === "done") {
        this.at += word.length;
        return this.#compound({ bodies, sureBodies: 1, isLoop: word === "done" });
      }
      if (!reservedEnds.has(word) || word === "}" || word === "esac") {
        throw new ShellSyntaxError("a fi or done is missing");
      }
    }
  }

  #parseFor(): Compound {
    this.at += this.peekWord().length;
    this.skipBlanks();
    let words: Word[] = [];
    let variable: string | null = null;
    if (this.sees("((")) {
      this.refuseUnlessBash("((");
      const end = closingOf(this.text, this.at + 2);
      if (end === -1) throw new ShellSyntaxError("a )) is missing");
      words.push(this.quotedWord(this.text.slice(this.at + 2, end)));
      this.at = end + 2;
    } else {
      variable = this.peekWord();
      this.at += variable.length;
      this.skipNewlines();
      if (this.peekWord() === "in") {
        this.at += 2;
        words = this.parseWords();
      }
    }
    this.skipSeparators();
    const closing = this.sees("{") ? "}" : "done";
    if (closing === "done" && this.peekWord() !== "do") throw new ShellSyntaxError("a do is missing");
    this.at += closing === "done" ? 2 : 1;
    const start = this.at;
    const bodies = [this.#parseUntil(closing)];
    const text = this.text.slice(start, this.at).replaceAll(/["'\\]/g, "");
    const mayJump = /\b(?:break|continue|return|exit|eval|source)\b/.test(text);
    return this.#compound({ bodies, isLoop: true, mayJump, variable, words });
  }

  #parseCase(): Compound {
    this.at += "case".length;
    this.skipBlanks();
    const words = [this.parseWord()];
    this.skipNewlines();
    if (this.peekWord() !== "in") throw new ShellSyntaxError("an in is missing");
    this.at += 2;
    const bodies: Script[] = [];
    for (;;) {
      this.skipNewlines();
      if (this.peekWord() === "esac") {
        this.at += 4;
        return this.#compound({ bodies, words });
      }
      this.#parsePatterns(words);
      bodies.push({ lists: this.deeper(() => this.#parseLists()) });
      for (const end of [";;&", ";;", ";&"]) {
        if (!this.sees(end)) continue;
        this.at += end.length;
        break;
      }
    }
  }

  #parsePatterns(words: Word[]): void {
    if (this.sees("(")) this.at++;
    for (;;) {
      this.skipBlanks();
      const word = this.parseWord();
      if (word.length === 0) throw new ShellSyntaxError("a pattern is missing");
      words.push(word);
      this.skipBlanks();
      const isLast = this.sees(")");
      if (!isLast && !this.sees("|")) throw new ShellSyntaxError("a ) is missing");
      this.at++;
      if (isLast) return;
    }
  }

  #parseFunction(): Stage {
    this.at += "function".length;
    this.skipBlanks();
    const name = this.peekWord();
    if (!/^[\w-]+$/.test(name)) this.refuseUnlessBash("this name of a function");
    this.at += name.length;
    return this.parseFunctionBody(name);
  }

  protected parseFunctionBody(name: string): Stage {
    this.skipBlanks();
    const parentheses = /\(\s*\)/y;
    parentheses.lastIndex = this.at;
    this.at += parentheses.exec(this.text)?.[0].length ?? 0;
    this.skipNewlines();
    return { kind: "function", name, body: this.deeper(() => this.#parseStage()) };
  }

  /** `[[ … ]]` has a grammar of its own; what counts is what its words hold. */
  #parseTest(): Compound {
    this.at += 2;
    const words: Word[] = [];
    for (;;) {
      this.skipNewlines();
      if (this.isAtEnd) throw new ShellSyntaxError("a ]] is missing");
      if (this.peekWord() === "]]") {
        this.at += 2;
        return this.#compound({ words });
      }
      const word = this.parseWord();
      if (word.length === 0) this.at++;
      else words.push(word);
    }
  }

  #compound(made: Partial<Compound>): Compound {
    const redirects: Redirect[] = [];
    this.skipBlanks();
    while (this.parseRedirect(redirects)) this.skipBlanks();
    const nothing = {
      isSubshell: false,
      isLoop: false,
      mayJump: true,
      bodies: [],
      sureBodies: 0,
      variable: null,
      words: [],
    };
    return { kind: "compound", ...nothing, ...made, redirects };
  }

  #parseUntil(closing: string): Script {
    const lists = this.deeper(() => this.#parseLists());
    if (this.peekWord() !== closing) throw new ShellSyntaxError(`a ${closing} is missing`);
    this.at += closing.length;
    return { lists };
  }
}
