import { ago } from "../../src/base/ago.ts";
import type { DigestedPath } from "../../src/operations/pipelines/port/pipeline-store.ts";
import { Refusal } from "./api.ts";
import { type Child, h } from "./dom.ts";
import { partsOf } from "./seen.ts";
import { sizeText } from "./sizes.ts";
import { clockTime } from "./times.ts";

/** A text from outside on one line: what would not be seen stands there as its code. */
export function line(text: string): Child {
  return shown(text, false);
}

/** A text from outside with its line breaks, all of it. */
export function block(label: string, text: string): HTMLElement {
  return h("figure", { class: "block" }, h("figcaption", {}, line(label)), h("pre", {}, shown(text, true)));
}

export function jsonBlock(label: string, value: unknown): HTMLElement {
  return block(label, JSON.stringify(value, null, 2) ?? "nothing");
}

function shown(text: string, isBlock: boolean): Child {
  return partsOf(text, isBlock).map((part) =>
    part.isCode
      ? h("span", { class: "unseen", title: "A character that would not be seen" }, part.text)
      : part.text,
  );
}

type Tone = "good" | "bad" | "warn" | "quiet";

/** One word each for how something stands; any other is quiet. */
const tones: Readonly<Record<string, Tone>> = {
  allow: "good",
  approved: "good",
  completed: "good",
  delivered: "good",
  enforced: "good",
  trusted: "good",
  own: "good",
  live: "good",
  deny: "bad",
  denied: "bad",
  completed_with_errors: "bad",
  interrupted: "bad",
  failed: "bad",
  timed_out: "bad",
  dead: "bad",
  INERT: "bad",
  changed: "bad",
  untrusted: "bad",
  ask: "warn",
  defer: "warn",
  pending: "warn",
  waiting_approval: "warn",
  waiting: "warn",
  missed: "warn",
  paused: "warn",
  cancelled: "warn",
  open: "warn",
  disabled: "warn",
  lost: "warn",
  "not provable": "warn",
  drift: "bad",
  "no drift": "good",
  "not intact": "bad",
  intact: "good",
};

export function badge(word: string): HTMLElement {
  return h("span", { class: `badge ${tones[word] ?? "quiet"}` }, line(word));
}

export function time(iso: string): HTMLElement {
  return h("time", { datetime: iso, title: iso }, clockTime(iso, Date.now()));
}

export function timeAgo(iso: string): HTMLElement {
  return h("time", { datetime: iso, title: iso }, ago(iso, Date.now()));
}

export function code(text: string): HTMLElement {
  return h("code", {}, line(text));
}

export function number(count: number): HTMLElement {
  return h("span", { class: "number" }, count.toLocaleString("en"));
}

/** Nothing to show, and what to do next. */
export function empty(title: string, ...hint: Child[]): HTMLElement {
  return h("div", { class: "empty" }, h("p", { class: "title" }, title), h("p", {}, ...hint));
}

export function notice(tone: Tone, ...children: Child[]): HTMLElement {
  return h("div", { class: `notice ${tone}`, role: tone === "bad" ? "alert" : "status" }, ...children);
}

/** What went wrong and what to do, in the server's words. */
export function failure(error: unknown): HTMLElement {
  if (!(error instanceof Refusal)) throw error;
  const { detail, remedy, code: known } = error.problem;
  return notice(
    "bad",
    h("strong", {}, line(detail)),
    " ",
    line(remedy),
    known === "" ? null : [" ", code(known)],
  );
}

/** Cells are labelled by their column where the screen is too narrow for a table. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly HTMLElement[],
): HTMLElement {
  return h(
    "table",
    {},
    h("caption", { class: "hidden" }, caption),
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows),
  );
}

export function tableRow(columns: readonly string[], cells: readonly Child[]): HTMLTableRowElement {
  return h(
    "tr",
    {},
    ...cells.map((cell, at) => h("td", { "data-label": columns[at] ?? "" }, h("div", {}, cell))),
  );
}

/** Names and values; those without a value are left out. */
export function facts(entries: readonly (readonly [name: string, value: Child])[]): HTMLElement {
  const given = entries.filter(([, value]) => value !== null);
  return h("dl", {}, ...given.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** As it is shown beside its digest. */
export function digested({ path, bytes, sha256 }: DigestedPath): HTMLElement {
  const size = h("span", { class: "quiet number" }, sizeText(bytes));
  return h("div", {}, line(path), " ", size, digest(sha256));
}

export function digest(sha256: string): HTMLElement {
  return h("code", { class: "digest quiet" }, line(sha256));
}

export function textOrNull(text: string | null): Child {
  return text === null || text === "" ? null : line(text);
}
