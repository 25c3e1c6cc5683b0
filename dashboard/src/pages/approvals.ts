import type { ItemOf } from "../api.ts";
import { ApprovalCard } from "../approval-card.ts";
import { fill, h } from "../dom.ts";
import type { OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, empty, failure, line, table, tableRow, textOrNull, time } from "../view.ts";

type Approval = ItemOf<"listApprovals">;

const everyMs = 1_000;
const shownDecided = 30;

/**
 * What waits for a person, the one that waits longest first. A card stays where it is: new ones come below, and one that
 * is decided or lapses is marked, not removed. Nothing moves under a hand that is about to press a button.
 */
export const openApprovals: OpenPage = ({ api }) => {
  const cards = new Map<string, ApprovalCard>();
  const [pending, decided, problem] = [h("div"), h("div"), h("div")];
  const nothing = empty(
    "Nobody is waiting for you.",
    "A rule with ",
    code("behaviour: ask"),
    " makes a question of a call; it appears here until somebody decides it or its time is over. ",
    code("swarm policy init"),
    " turns on a starter policy.",
  );

  let latest = 0;
  const look = async (): Promise<void> => {
    const mine = ++latest;
    try {
      const waiting = await api.call("listApprovals", { query: { status: "pending", limit: 1_000 } });
      const all = await api.call("listApprovals", { query: { limit: shownDecided } });
      for (const approval of waiting.items.toReversed()) {
        if (cards.has(approval.id)) continue;
        const card = new ApprovalCard(api, approval, () => void look());
        cards.set(approval.id, card);
        pending.append(card.element);
      }
      const isWaiting = new Set(waiting.items.map(({ id }) => id));
      await Promise.all(
        [...cards]
          .filter(([id, card]) => card.isPending && !isWaiting.has(id))
          .map(([, card]) => card.refresh()),
      );
      nothing.hidden = cards.size > 0;
      if (mine !== latest) return; // Another look began after this one, and knows more.
      fill(decided, decidedTable(all.items.filter(({ status }) => status !== "pending")));
      fill(problem);
    } catch (error) {
      fill(problem, failure(error));
    }
  };
  nothing.hidden = true;
  void look();
  const timer = setInterval(() => {
    for (const card of cards.values()) card.tick(Date.now());
  }, everyMs);

  return {
    title: "Approvals",
    element: h(
      "div",
      {},
      h("section", { "aria-label": "Waiting for a decision" }, nothing, pending),
      problem,
      h("h2", {}, "Decided"),
      decided,
    ),
    onRow: ({ event }) => void (event.startsWith("approval.") && look()),
    onGap: () => void look(),
    close: () => clearInterval(timer),
  };
};

const columns = ["Asked", "What", "Decision", "By", "Comment"];

function decidedTable(approvals: readonly Approval[]): HTMLElement {
  if (approvals.length === 0) return h("p", { class: "quiet" }, "Nothing was decided yet.");
  const rows = approvals.map(({ requested_at, name, status, decided_by, comment, intent_id }) =>
    tableRow(columns, [
      h("a", { href: hashOf("record", {}, intent_id) }, time(requested_at)),
      line(name),
      badge(status),
      textOrNull(decided_by),
      textOrNull(comment),
    ]),
  );
  return table("What was decided, newest first", columns, rows);
}
