import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** A group in Claude Code's shape, and the event it is for. */
export interface HookGroup {
  readonly native: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Lines that are added, or what goes (to make room for them). */
interface Insertion {
  readonly offset: number;
  readonly text: string;
  readonly cut?: number;
}

/**
 * The configuration with these groups at the end of its hooks, and not a byte of the rest changed; null where that
 * takes more than adding lines: what stands in braces and brackets.
 */
export function addAsText(text: string, groups: readonly HookGroup[], remark: string): string | null {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const insertions = insertionsInto(text, groups, remark);
  if (insertions === null) return null;
  let result = "";
  let done = 0;
  for (const { offset, text: added, cut = 0 } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(done, offset);
    const isWithinLine = added !== "" && result !== "" && !result.endsWith("\n");
    result += (isWithinLine ? eol : "") + added.replaceAll("\n", eol);
    done = offset + cut;
  }
  return result + text.slice(done);
}

/** The same by way of the parsed document: comments stay, but all of it is printed anew. */
export function addToDocument(text: string, groups: readonly HookGroup[]): string {
  const document = parseDocument(text);
  const hooks = document.get("hooks", true);
  if (isSeq(hooks)) {
    for (const { native, body } of groups) hooks.add(document.createNode({ event: native, ...body }));
  } else {
    if (!isMap(hooks)) document.set("hooks", document.createNode({}));
    for (const { native, body } of groups) {
      const path = ["hooks", native];
      if (isSeq(document.getIn(path, true))) document.addIn(path, document.createNode(body));
      else document.setIn(path, document.createNode([body]));
    }
  }
  return document.toString();
}

function insertionsInto(text: string, groups: readonly HookGroup[], remark: string): Insertion[] | null {
  const { contents } = parseDocument(text);
  if (contents === null) return [{ offset: text.length, text: section(groups, remark) }];
  if (!isMap(contents) || contents.flow === true) return null;
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === "hooks") as Pair | undefined;
  if (pair === undefined) return [{ offset: text.length, text: section(groups, remark) }];
  const { key, value } = pair;
  const isEmpty = value === null || (isScalar(value) ? value.source === "" : isNothing(value));
  if (isEmpty && isScalar(key)) return afterKey(text, key.range?.[1] ?? 0, value, groups, remark);
  if (isSeq(value) && isBlock(value)) return [intoList(text, value, groups, remark)];
  if (isMap(value) && isBlock(value)) return intoMap(text, value, groups, remark);
  return null;
}

function isBlock({ flow }: YAMLMap | YAMLSeq): boolean {
  return flow !== true;
}

/** `[]` or `{}`, and nobody refers to it. */
function isNothing(value: unknown): boolean {
  return (isSeq(value) || isMap(value)) && value.items.length === 0 && value.anchor === undefined;
}

/** Below `hooks:`, in the place of the brackets that say that there are none. */
function afterKey(
  text: string,
  keyEnd: number,
  value: unknown,
  groups: readonly HookGroup[],
  remark: string,
): Insertion[] {
  const end = text.indexOf("\n", keyEnd);
  const lines = { offset: end === -1 ? text.length : end + 1, text: block(byEvent(groups), 2, remark) };
  if (!isSeq(value) && !isMap(value)) return [lines];
  const [from = 0, to = 0] = value.range ?? [];
  const colon = text.lastIndexOf(":", from) + 1;
  return [{ offset: colon, text: "", cut: to - colon }, lines];
}

function section(groups: readonly HookGroup[], remark: string): string {
  return `hooks:\n${block(byEvent(groups), 2, remark)}`;
}

function intoList(text: string, list: YAMLSeq, groups: readonly HookGroup[], remark: string): Insertion {
  const items = groups.map(({ native, body }) => ({ event: native, ...body }));
  return { offset: endOf(list), text: block(items, columnOf(text, list), remark) };
}

/** To the lists of events that have one; the others get one. */
function intoMap(
  text: string,
  map: YAMLMap,
  groups: readonly HookGroup[],
  remark: string,
): Insertion[] | null {
  const missing: HookGroup[] = [];
  const insertions: Insertion[] = [];
  for (const [native, bodies] of Object.entries(byEvent(groups))) {
    const found = map.get(native, true);
    if (found === undefined) missing.push(...groups.filter((group) => group.native === native));
    else if (!isSeq(found) || !isBlock(found)) return null;
    else insertions.push({ offset: endOf(found), text: block(bodies, columnOf(text, found), remark) });
  }
  if (missing.length === 0) return insertions;
  const added = block(byEvent(missing), columnOf(text, map), remark);
  return [...insertions, { offset: endOf(map), text: added }];
}

function byEvent(groups: readonly HookGroup[]): Record<string, HookGroup["body"][]> {
  const lists: Record<string, HookGroup["body"][]> = {};
  for (const { native, body } of groups) lists[native] = [...(lists[native] ?? []), body];
  return lists;
}

function block(value: unknown, column: number, remark: string): string {
  const lines = `# ${remark}\n${stringify(value, { lineWidth: 0 })}`.trimEnd().split("\n");
  return lines.map((line) => (line === "" ? "\n" : `${" ".repeat(column)}${line}\n`)).join("");
}

/** Past its last item and that one's line; remarks after it belong to what follows. */
function endOf({ range }: YAMLMap | YAMLSeq): number {
  return range?.[1] ?? 0;
}

function columnOf(text: string, { range }: YAMLMap | YAMLSeq): number {
  const start = range?.[0] ?? 0;
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}
