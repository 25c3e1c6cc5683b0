import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from "yaml";
import { configLimits } from "./limits.ts";
import { type ConfigNode, invalid, type MapEntry, type Position } from "./node.ts";

/** A file's text as data with places; null when there is nothing in it. JSON is YAML, so one parser does for both. */
export function readDocument(file: string, text: string): ConfigNode | null {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false, // they quote the lines around, which may hold a secret
    uniqueKeys: false, // compares all with all: 60,000 keys took 47 s. `readMap` checks it instead
    stringKeys: true,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    throw invalid(file, positionOf(lines, problem.pos[0]), inWords(problem));
  }
  if (document.contents === null) return null;
  return new Converter(file, lines).convert(document.contents, 0);
}

/** One walk in the document's order; `yaml` itself would search the whole document for every alias. */
class Converter {
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Node>();
  #nodes = 0;
  #expanding = 0;

  constructor(file: string, lines: LineCounter) {
    this.#file = file;
    this.#lines = lines;
  }

  convert(node: unknown, depth: number, aliasAt?: Position): ConfigNode {
    const at = aliasAt ?? this.#at(node as Node);
    if (++this.#nodes > configLimits.nodes) {
      throw this.#invalid(at, `the file's aliases stand for more than ${configLimits.nodes} values`);
    }
    if (depth > configLimits.depth) {
      throw this.#invalid(at, `nested more than ${configLimits.depth} levels deep, or within itself`);
    }
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined) throw this.#invalid(at, "an alias has no anchor before it");
      this.#expanding++;
      const converted = this.convert(target, depth + 1, at);
      this.#expanding--;
      return converted;
    }
    // Not again where an alias stands: the name may have been given to another node since.
    if (
      (isMap(node) || isSeq(node) || isScalar(node)) &&
      node.anchor !== undefined &&
      this.#expanding === 0
    ) {
      this.#anchors.set(node.anchor, node);
    }
    if (isSeq(node)) {
      return { kind: "list", at, items: node.items.map((item) => this.convert(item, depth + 1)) };
    }
    if (isMap(node)) return { kind: "map", at, entries: this.#entries(node.items, depth) };
    const value = isScalar(node) ? node.value : null;
    if (value === null || typeof value === "string" || typeof value === "boolean") {
      return { kind: "scalar", at, value };
    }
    if (typeof value === "number" && Number.isFinite(value)) return { kind: "scalar", at, value };
    throw this.#invalid(at, "a value JSON has no form for, expected text, a number, true or false");
  }

  #entries(pairs: readonly { key: unknown; value: unknown }[], depth: number): MapEntry[] {
    const keys = new Set<string>();
    return pairs.map((pair) => {
      const key = this.convert(pair.key, depth + 1);
      if (key.kind !== "scalar") throw this.#invalid(key.at, "a key is not text, expected text");
      const name = String(key.value);
      if (keys.has(name)) throw this.#invalid(key.at, "a key is given twice");
      keys.add(name);
      const value: ConfigNode =
        pair.value === null
          ? { kind: "scalar", at: key.at, value: null }
          : this.convert(pair.value, depth + 1);
      return { key: name, at: key.at, value };
    });
  }

  #at(node: Node | null): Position {
    return positionOf(this.#lines, node?.range?.[0] ?? 0);
  }

  #invalid(at: Position, problem: string): Error {
    return invalid(this.#file, at, problem);
  }
}

function positionOf(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  // Without a single line break the counter has no lines.
  return line === 0 ? { line: 1, column: offset + 1 } : { line, column: col };
}

/** Fixed sentences: the parser's own quote the file, which may not be the one that was meant. */
const words: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "an alias has a tag or an anchor",
  BAD_ALIAS: "an alias or anchor is not a name",
  BAD_DIRECTIVE: "a directive is not valid",
  BAD_DQ_ESCAPE: "an escape sequence in double quotes is not valid",
  BAD_INDENT: "the indentation does not fit, or a bracket is not closed",
  BAD_SCALAR_START: "a value begins with a character that needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a list or map stands where a key is expected",
  BLOCK_IN_FLOW: "an indented list or map stands within brackets or braces",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters",
  MISSING_CHAR: "a character is missing, such as a quote, a comma, a colon or a bracket",
  MULTILINE_IMPLICIT_KEY: "a key spans several lines",
  MULTIPLE_ANCHORS: "a value has several anchors",
  MULTIPLE_DOCS: "a second document begins, expected one",
  MULTIPLE_TAGS: "a value has several tags",
  NON_STRING_KEY: "a key is not text, expected text",
  RESOURCE_EXHAUSTION: `nested more than ${configLimits.depth} levels deep`,
  TAB_AS_INDENT: "a tab stands where spaces are expected",
  TAG_RESOLVE_FAILED: "a tag is not known, or does not fit its value",
};

const wholeSentences: ReadonlySet<string> = new Set([
  "MULTIPLE_DOCS",
  "NON_STRING_KEY",
  "RESOURCE_EXHAUSTION",
]);

function inWords({ code }: YAMLError): string {
  const sentence = words[code] ?? "something stands here that is not expected";
  return wholeSentences.has(code) ? sentence : `not valid YAML: ${sentence}`;
}
