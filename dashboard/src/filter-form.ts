import { verdicts } from "../../src/events/decision.ts";
import { runEventKinds } from "../../src/ports/run-event.ts";
import type { Api } from "./api.ts";
import { fill, h } from "./dom.ts";
import type { RowFilter } from "./row-filter.ts";

/** Narrows rows by what they have in common; `onChange` gets what is asked for now. */
export function filterForm(api: Api, filter: RowFilter, onChange: (filter: RowFilter) => void): HTMLElement {
  const events = select(
    "event",
    "Event",
    "every event",
    filter.event === undefined ? [] : [filter.event],
    filter.event,
  );
  const form = h(
    "form",
    { class: "filters", role: "search", submit: (event) => event.preventDefault(), change: () => changed() },
    events,
    select("kind", "Kind", "every kind", runEventKinds, filter.kind),
    select("verdict", "Verdict", "every verdict", verdicts, filter.verdict),
    field(
      "Session",
      h("input", { name: "session", value: filter.session ?? "", placeholder: "every session" }),
    ),
  );
  const changed = (): void => onChange(Object.fromEntries(new FormData(form)) as RowFilter);
  void api.call("showCatalog").then(
    ({ items, changes }) => {
      const names = [...items.map(({ event }) => event), ...changes];
      fill(events, ...select("event", "Event", "every event", names, filter.event).childNodes);
    },
    // Without the names there is still every other filter; whatever else is asked tells what is wrong.
    () => undefined,
  );
  return form;
}

export function field(label: string, input: HTMLElement): HTMLLabelElement {
  return h("label", {}, h("span", {}, label), input);
}

export function select(
  name: string,
  label: string,
  all: string,
  values: readonly string[],
  chosen: string | undefined,
): HTMLLabelElement {
  const options = values.map((value) => h("option", { value, selected: value === chosen }, value));
  return field(label, h("select", { name }, h("option", { value: "" }, all), ...options));
}
