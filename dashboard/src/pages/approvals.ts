import { askedText } from "../../../src/base/asked-text.ts";
import { approvalStatuses } from "../../../src/policy/approvals/port/approval-store.ts";
import type { Api, ItemOf } from "../api.ts";
import { ApprovalCard } from "../approval-card.ts";
import { ApproverKeys } from "../approver-keys.ts";
import { fill, h } from "../dom.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import type { OpenPage } from "../page.ts";
import { hashOf } from "../place.ts";
import { badge, code, empty, failure, line, notice, table, tableRow, textOrNull, time } from "../view.ts";

type Approval = ItemOf<"listApprovals">;

const everyMs = 1_000;
const shownPending = 1_000;
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

  const look: () => void = oneAtATime(async () => {
    try {
      const approvers = await api.call("listApprovers");
      keys.show(approvers);
      for (const card of cards.values()) card.show(approvers);
      const query = { status: "pending", limit: shownPending } as const;
      const waiting = await api.call("listApprovals", { query });
      for (const approval of waiting.items.toReversed()) {
        if (cards.has(approval.id)) continue;
        const card = new ApprovalCard(api, approval, approvers, look);
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
      fill(decided, decidedTable(await listDecided(api)));
      fill(
        problem,
        waiting.next_cursor === null
          ? null
          : notice("warn", `Only the newest ${shownPending} are here: `, code("swarm approvals list"), "."),
      );
    } catch (error) {
      fill(problem, failure(error));
    }
  });
  const keys = new ApproverKeys(api, look);
  nothing.hidden = true;
  look();
  const timer = setInterval(() => {
    for (const card of cards.values()) card.tick(Date.now());
  }, everyMs);

  return {
    title: "Approvals",
    element: h(
      "div",
      {},
      problem,
      h("section", { "aria-label": "Waiting for a decision" }, nothing, pending),
      h("h2", {}, "Decided"),
      decided,
      keys.element,
    ),
    onRow: ({ event }) => void (/^approv(al|er)\./.test(event) && look()),
    onGap: look,
    close: () => clearInterval(timer),
  };
};

/** The newest of them, however many are asked after they were decided. */
async function listDecided(api: Api): Promise<Approval[]> {
  const decided = approvalStatuses.filter((status) => status !== "pending");
  const found = await Promise.all(
    decided.map((status) => api.call("listApprovals", { query: { status, limit: shownDecided } })),
  );
  return found
    .flatMap(({ items }) => items)
    .sort((one, other) => other.seq - one.seq)
    .slice(0, shownDecided);
}

const columns = ["Asked", "What", "Decision", "By", "Comment"];

function decidedTable(approvals: readonly Approval[]): HTMLElement {
  if (approvals.length === 0) return h("p", { class: "quiet" }, "Nothing was decided yet.");
  const rows = approvals.map(({ requested_at, name, subject, status, decided_by, comment, intent_id }) =>
    tableRow(columns, [
      h("a", { href: hashOf("record", {}, intent_id) }, time(requested_at)),
      [h("strong", {}, line(name)), h("div", { class: "quiet clamp asked" }, line(askedText(subject)))],
      badge(status),
      decided_by === null ? null : h("span", { class: "name" }, line(decided_by)),
      textOrNull(comment),
    ]),
  );
  return table("What was decided, newest first", columns, rows);
}
