import type { RunEvent } from "../../../src/record/port/run-event.ts";
import { h } from "../dom.ts";
import { filterForm } from "../filter-form.ts";
import type { Gap } from "../live-stream.ts";
import type { OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { filterOf, matches } from "../row-filter.ts";
import { recordRow, rowColumns } from "../rows.ts";
import { empty, failure, table } from "../view.ts";

/** More than anybody reads; the record has the rest. */
const maxShown = 300;
const maxHeld = 300;

/** The record as it grows, newest first, after the last rows there were. */
export const openLive: OpenPage = (surroundings) => {
  const { api, place, replace } = surroundings;
  const filter = filterOf(place.query);
  const rows = table("What happens, newest first", rowColumns, []);
  const body = rows.querySelector("tbody") as HTMLElement;
  const held: HTMLElement[] = [];
  let [isPaused, missed, lastSeq] = [false, 0, 0];

  const add = (row: HTMLElement): void => {
    nothing.hidden = true;
    if (isPaused) {
      held.push(row);
      if (held.length > maxHeld) held.shift();
      missed++;
      tell();
    } else show(row);
  };
  const show = (row: HTMLElement): void => {
    body.prepend(row);
    while (body.childElementCount > maxShown) body.lastElementChild?.remove();
  };
  const tell = (): void => {
    pause.textContent = isPaused ? `Go on${missed === 0 ? "" : ` (${missed} new)`}` : "Pause";
    pause.setAttribute("aria-pressed", String(isPaused));
  };
  const pause = h("button", {
    type: "button",
    "aria-pressed": "false",
    click: () => {
      isPaused = !isPaused;
      const left = missed - held.length;
      if (left > 0)
        show(
          messageRow(
            `${left} rows came while this was paused that are not shown. `,
            hashOf("record", filter),
          ),
        );
      for (const row of held.splice(0)) show(row);
      missed = 0;
      tell();
    },
  });
  tell();
  const nothing = empty(
    "Nothing has happened yet that fits.",
    "Rows appear here as they are recorded. Try one: ",
    h("code", {}, `swarm hooks test tool.before --tool Bash --input '{"command": "ls"}'`),
  );
  nothing.hidden = true;

  // Rows that come while the last ones are asked for are in both.
  const early: RunEvent[] = [];
  let isReady = false;
  const take = (row: RunEvent): void => {
    if (row.seq <= lastSeq || !matches(filter, row)) return;
    lastSeq = row.seq;
    add(recordRow(row));
  };
  const begin = api.call("listEvents", { query: { ...filter, limit: 50 } } as never).then(
    ({ items }) => {
      for (const row of items.toReversed()) take(row);
      nothing.hidden = items.length > 0;
    },
    (error: unknown) => rows.before(failure(error)),
  );
  void begin.then(() => {
    isReady = true;
    for (const row of early.splice(0)) take(row);
  });

  return {
    title: "Live",
    element: h(
      "div",
      {},
      h(
        "div",
        { class: "tools" },
        filterForm(surroundings, filter, (wanted) => replace(hashOf("live", wanted))),
        pause,
      ),
      nothing,
      rows,
    ),
    onRow: (row) => void (isReady ? take(row) : early.push(row)),
    onGap: ({ after, before }: Gap) => {
      const told = `Rows ${after + 1} to ${before - 1} are not shown: this page could not keep up. `;
      add(messageRow(told, hashOf("record", { ...filter, cursor: String(before) })));
    },
  };
};

function messageRow(text: string, href: string): HTMLElement {
  const cell = h(
    "td",
    { colspan: String(rowColumns.length) },
    text,
    h("a", { href }, "See them in the record"),
  );
  return h("tr", { class: "gap" }, cell);
}
