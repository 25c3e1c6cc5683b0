/** One object among a tool's arguments: the whole input, an object in it, or one that was written as JSON in a text. */
export interface ArgumentGroup {
  /** Its values; a text that holds JSON is replaced by what it holds. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Every text in it, also in lists, with the name it stands under; what is in objects belongs to their own groups. */
  readonly texts: readonly NamedText[];
  /** The name it stands under, as names are compared; empty for the whole input. */
  readonly name: string;
  /** The object it stands in. */
  readonly parent: ArgumentGroup | null;
}

export interface NamedText {
  /** Lower case, without `_` and `-`: `filePath` and `file_path` are one name. Empty for the name of a value itself. */
  readonly name: string;
  readonly text: string;
}

export interface ToolArguments {
  readonly groups: readonly ArgumentGroup[];
  /** More was given than is read. */
  readonly isCut: boolean;
}

/**
 * A model writes some ten thousand words in one call; more texts than this are made by something else. To look at this
 * many takes some 20 ms.
 */
const limits = { values: 20_000, jsonChars: 1024 * 1024, jsonDepth: 4 };

/** Why something was not looked at. */
export const tooManyArguments = "it has too many arguments";

/** Reads arguments however deep they are; time is linear in their size. */
export function readArguments(input: Readonly<Record<string, unknown>>): ToolArguments {
  return new Reader().read(input);
}

interface Waiting {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly parent: ArgumentGroup | null;
  readonly jsonDepth: number;
}

class Reader {
  readonly #groups: ArgumentGroup[] = [];
  readonly #waiting: Waiting[] = [];
  #valuesLeft = limits.values;
  #jsonCharsLeft = limits.jsonChars;
  #isCut = false;

  read(input: Readonly<Record<string, unknown>>): ToolArguments {
    this.#waiting.push({ name: "", values: input, parent: null, jsonDepth: 0 });
    // Those that are added while it runs are read, too.
    for (const waiting of this.#waiting) this.#group(waiting);
    return { groups: this.#groups, isCut: this.#isCut };
  }

  #group({ name, values: given, parent, jsonDepth }: Waiting): void {
    const texts: NamedText[] = [];
    // Without a prototype: a name such as `__proto__` is one like any other.
    const values: Record<string, unknown> = Object.create(null);
    const group = { name, values, texts, parent };
    this.#groups.push(group);
    for (const [key, value] of Object.entries(given)) {
      // Some servers take a map from file names to what is to be in them.
      texts.push({ name: "", text: key });
      values[key] = this.#value(comparedName(key), value, group, texts, jsonDepth);
    }
  }

  #value(name: string, value: unknown, group: ArgumentGroup, texts: NamedText[], jsonDepth: number): unknown {
    if (--this.#valuesLeft < 0) {
      this.#isCut = true;
      return null;
    }
    if (typeof value === "string") {
      const parsed = isFileContent(name) ? null : this.#parsed(value, jsonDepth);
      if (parsed !== null) return this.#value(name, parsed, group, texts, jsonDepth + 1);
      texts.push({ name, text: value });
    } else if (Array.isArray(value)) {
      return value.map((item) => this.#value(name, item, group, texts, jsonDepth));
    } else if (typeof value === "object" && value !== null) {
      const values = value as Record<string, unknown>;
      this.#waiting.push({ name, values, parent: group, jsonDepth });
    }
    return value;
  }

  /** The object or list a text holds as JSON; null when it holds none. */
  #parsed(text: string, depth: number): object | null {
    if (!looksLikeJson(text)) return null;
    this.#jsonCharsLeft -= text.length;
    if (depth >= limits.jsonDepth || this.#jsonCharsLeft < 0) {
      this.#isCut = true;
      return null;
    }
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === "object" ? value : null;
    } catch {
      return null;
    }
  }
}

function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*["{[\]\dtfn-])/.test(text) && /[}\]]\s{0,64}$/.test(text.slice(-65));
}

/** As names are compared: `file_path`, `file-path` and `filePath` are the same to a reader. */
export function comparedName(key: string): string {
  return key.toLowerCase().replaceAll(/[\s._-]/g, "");
}

const fileContents = new Set([
  ...["content", "contents", "filetext", "filecontent", "filecontents", "newcontent", "newsource"],
  ...["newstring", "oldstring", "newstr", "oldstr", "newtext", "oldtext", "inserttext", "replacement"],
]);

/** What is to stand in a file. JSON in it is the file's own. */
export function isFileContent(name: string): boolean {
  return fileContents.has(name);
}
