import type { Refusal, ResultOf } from "../api.ts";
import { fill, h } from "../dom.ts";
import { field, filterForm } from "../filter-form.ts";
import { Loader, type OpenPage, type Surroundings } from "../page.ts";
import { hashOf } from "../place.ts";
import { filterOf } from "../row-filter.ts";
import { recordRow, rowColumns } from "../rows.ts";
import { badge, empty, failure, line, notice, table } from "../view.ts";
import { openRow } from "./row.ts";

const pageRows = 50;

/** What happened, page by page; or one row of it. */
export const openRecord: OpenPage = (surroundings) => {
  const { api, place, replace } = surroundings;
  if (place.id !== null) return openRow(surroundings, place.id);
  const { cursor, hook_id, since, ...rest } = place.query;
  const filter = filterOf(rest);
  const more = { ...(hook_id && { hook_id }), ...(since && { since }) };
  const narrow = (wanted: Readonly<Record<string, string>>): void =>
    replace(hashOf("record", { ...filter, ...more, ...wanted }));
  const list = h("div");
  const loader = new Loader(list, async () => {
    const query = { ...filter, ...more, ...(cursor && { cursor }), limit: pageRows };
    const { items, next_cursor } = await api.call("listEvents", { query } as never);
    if (items.length === 0) return [nothing()];
    const older = next_cursor === null ? null : hashOf("record", { ...filter, ...more, cursor: next_cursor });
    return [
      table("Rows of the record, newest first", rowColumns, items.map(recordRow)),
      older === null ? null : h("p", {}, h("a", { class: "button", href: older }, "Older rows")),
    ];
  });
  return {
    title: "Record",
    element: h(
      "div",
      {},
      verification(surroundings),
      h(
        "div",
        { class: "tools" },
        filterForm(surroundings, filter, (wanted) => narrow({ ...wanted })),
        sinceField(since, (wanted) => narrow({ since: wanted })),
      ),
      hook_id === undefined
        ? null
        : h(
            "p",
            {},
            "Only rows the hook ",
            line(hook_id),
            " took part in. ",
            h("a", { href: hashOf("record", filter) }, "All rows"),
          ),
      list,
    ),
    // A page that is read is not changed under whoever reads it, unless it is the newest and nothing is on it yet.
    onRow: () => void (cursor === undefined && list.querySelector(".empty") !== null && loader.soon()),
    close: () => loader.stop(),
  };
};

function nothing(): HTMLElement {
  return empty(
    "No row fits.",
    "Widen the filters, or begin with ",
    h("a", { href: hashOf("record") }, "all rows"),
    ".",
  );
}

function sinceField(since: string | undefined, onChange: (since: string) => void): HTMLElement {
  const input = h("input", {
    type: "datetime-local",
    name: "since",
    value: since === undefined ? "" : localTime(since),
    change: () => onChange(input.value === "" ? "" : new Date(input.value).toISOString()),
  });
  return field("Since", input);
}

/** As the field for times writes it. */
function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Whether the chain of hashes holds: every row is read for it, so somebody has to ask. */
function verification({ api }: Surroundings): HTMLElement {
  const told = h("div", { "aria-live": "polite" });
  const check = h(
    "button",
    {
      type: "button",
      click: async () => {
        check.disabled = true;
        fill(told, h("p", { class: "quiet" }, "Reading every row…"));
        const found = await api.call("verifyAudit").then(resultOf, (error: Refusal) => failure(error));
        fill(told, found);
        check.disabled = false;
      },
    },
    "Check the record",
  );
  return h("section", { class: "verification", "aria-label": "Is the record whole" }, check, told);
}

function resultOf({
  is_intact,
  rows,
  signed_seq,
  key_id,
  unsigned_rows,
  faults,
}: ResultOf<"verifyAudit">): HTMLElement {
  const at = `checked ${new Date().toLocaleTimeString()}`;
  if (is_intact) {
    const unsigned = unsigned_rows === 0 ? "" : `, ${unsigned_rows} not signed yet`;
    return notice(
      "good",
      h("strong", {}, "Intact. "),
      `${rows} rows, signed up to row ${signed_seq} by key ${key_id}${unsigned}; ${at}.`,
    );
  }
  const shown = faults
    .slice(0, 20)
    .map(({ kind, seq, problem }) => h("li", {}, badge(kind), ` row ${seq}: `, line(problem)));
  return notice(
    "bad",
    h("strong", {}, "The record is not what it was. "),
    `${faults.length} faults; ${at}.`,
    h("ul", {}, ...shown),
  );
}
