import { countText, deliveryStates } from "../../../src/operations/webhooks/port/outbox-store.ts";
import { action } from "../action.ts";
import type { Api, ItemOf, ResultOf } from "../api.ts";
import { type Child, fill, h } from "../dom.ts";
import { field, select } from "../filter-form.ts";
import { Loader, type OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { eventName } from "../rows.ts";
import { badge, code, empty, failure, jsonBlock, line, table, tableRow, textOrNull, time } from "../view.ts";

type Delivery = ItemOf<"listDeliveries">;
type Target = ResultOf<"outboxStatus">["targets"][number];

const pageRows = 50;

/** What was sent to whom, what was given up, and which receivers fail. */
export const openWebhooks: OpenPage = ({ api, place, replace }) => {
  const { state, cursor } = place.query;
  const list = h("div");
  const isState = deliveryStates.find((known) => known === state);
  const loader = new Loader(list, async () => {
    const { pending, dead, targets } = await api.call("outboxStatus");
    const query = { limit: pageRows, ...(isState && { state: isState }), ...(cursor && { cursor }) };
    const { items, next_cursor } = await api.call("listDeliveries", { query });
    const failing = targets.filter(({ failures }) => failures > 0);
    return [
      h("p", { class: "quiet" }, `${countText(pending)} waiting, ${countText(dead)} given up.`),
      failing.length === 0 ? null : targetTable(failing),
      items.length === 0 ? nothing(state) : deliveryTable(api, items, () => loader.now()),
      next_cursor === null
        ? null
        : h(
            "p",
            {},
            h(
              "a",
              { class: "button", href: hashOf("webhooks", { state, cursor: next_cursor }) },
              "Older deliveries",
            ),
          ),
    ];
  });
  const states = select("state", "every state", deliveryStates, state);
  states.addEventListener("change", () => replace(hashOf("webhooks", { state: states.value })));
  return {
    title: "Webhooks",
    element: h("div", {}, h("div", { class: "tools" }, field("State", states)), list),
    onRow: ({ event }) => void (event.startsWith("webhook.") && loader.soon()),
    close: () => loader.stop(),
  };
};

function nothing(state: string | undefined): HTMLElement {
  if (state) return empty(`No delivery is ${state}.`, h("a", { href: hashOf("webhooks") }, "All deliveries"));
  return empty(
    "Nothing was sent yet.",
    "A hook of ",
    code("type: webhook"),
    " sends its events; try one with ",
    code("swarm webhooks test NAME"),
    ".",
  );
}

const targetColumns = ["Failing receiver", "Failures in a row", "Next attempt", "Last error"];

function targetTable(targets: readonly Target[]): HTMLElement {
  const rows = targets.map(({ hook, target, failures, next_at, last_error }) =>
    tableRow(targetColumns, [
      [h("strong", {}, textOrNull(hook)), h("div", { class: "quiet clamp" }, line(target))],
      String(failures),
      next_at === null ? "-" : time(next_at),
      textOrNull(last_error),
    ]),
  );
  return table("Receivers that fail", targetColumns, rows);
}

const columns = ["Queued", "Event", "Hook", "State", "Attempts", "Last answer", "Message"];

function deliveryTable(
  api: Api,
  deliveries: readonly Delivery[],
  onReplayed: () => Promise<void>,
): HTMLElement {
  const rows = deliveries.map((delivery) => {
    const { created_at, event, event_id, hook, target, state, attempts, last_status, last_error } = delivery;
    return tableRow(columns, [
      time(created_at),
      h("a", { href: hashOf("record", {}, event_id) }, eventName(event)),
      [h("strong", {}, line(hook)), h("div", { class: "quiet clamp" }, line(target))],
      badge(state),
      String(attempts),
      [
        last_status === null ? "none" : String(last_status),
        last_error === null ? null : h("div", { class: "quiet clamp" }, line(last_error)),
      ],
      [messageOf(api, delivery), replayOf(api, delivery, onReplayed)],
    ]);
  });
  return table("Deliveries, newest first", columns, rows);
}

/** Read when somebody looks. */
function messageOf(api: Api, { id }: Delivery): HTMLElement {
  const body = h("div");
  const show = async (): Promise<void> => {
    const { body: sent } = await api.call("showDelivery", { params: { id } });
    fill(body, jsonBlock(id, sent));
  };
  return h(
    "details",
    {
      toggle: () =>
        void (body.childElementCount === 0 && show().catch((error: unknown) => fill(body, failure(error)))),
    },
    h("summary", {}, "Show"),
    body,
  );
}

function replayOf(api: Api, { id, hook, state }: Delivery, onReplayed: () => Promise<void>): Child {
  if (state === "pending" || !api.may("replayDelivery")) return null;
  return action("Send again", `${id} of ${hook}`, async () => {
    await api.call("replayDelivery", { params: { id } });
    await onReplayed();
  });
}
