import { verdicts } from "../../src/engine/events/decision.ts";
import { runEventKinds } from "../../src/record/port/run-event.ts";
import { fill, h } from "./dom.ts";
import type { Surroundings } from "./page.ts";
import type { RowFilter } from "./row-filter.ts";

/** Narrows rows by what they have in common; `onChange` gets what is asked for now. */
export function filterForm(
  { eventNames }: Pick<Surroundings, "eventNames">,
  filter: RowFilter,
  onChange: (filter: RowFilter) => void,
): HTMLElement {
  const { event, kind, verdict, session = "" } = filter;
  const events = select("event", "every event", event === undefined ? [] : [event], event);
  const form = h(
    "form",
    { class: "filters", role: "search", submit: (sent) => sent.preventDefault(), change: () => changed() },
    field("Event", events),
    field("Kind", select("kind", "every kind", runEventKinds, kind)),
    field("Verdict", select("verdict", "every verdict", verdicts, verdict)),
    field("Session", h("input", { name: "session", value: session, placeholder: "every session" })),
  );
  const changed = (): void => onChange(Object.fromEntries(new FormData(form)) as RowFilter);
  void eventNames().then(
    (names) => {
      fill(events, ...optionsOf("every event", names));
      events.value = event ?? "";
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
  all: string,
  values: readonly string[],
  chosen: string | undefined,
): HTMLSelectElement {
  const element = h("select", { name }, ...optionsOf(all, values));
  element.value = chosen ?? "";
  return element;
}

function optionsOf(all: string, values: readonly string[]): HTMLOptionElement[] {
  return [h("option", { value: "" }, all), ...values.map((value) => h("option", { value }, value))];
}
