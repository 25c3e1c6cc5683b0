import { type Api, type ItemOf, Refusal } from "./api.ts";
import { type Child, fill, h } from "./dom.ts";
import { field } from "./filter-form.ts";
import { hashOf } from "./place.ts";
import { leftUntil } from "./times.ts";
import { type ApproverKey, type Approvers, usablePasskeys, usePasskey } from "./use-passkey.ts";
import { badge, block, code, facts, failure, jsonBlock, line, notice, textOrNull, time } from "./view.ts";

type Approval = ItemOf<"listApprovals">;

const maxCommentChars = 2_000;

/** One question, from when it is asked until it is decided, by whomever. */
export class ApprovalCard {
  readonly element = h("article", { class: "approval" });
  readonly #api: Api;
  readonly #onDecided: () => void;
  readonly #left = h("span", { class: "left" });
  readonly #answer = h("div", { class: "answer" });
  readonly #comment = h("textarea", {
    rows: "2",
    maxlength: String(maxCommentChars),
    placeholder: "Why; told to whoever asked",
  });
  #approval: Approval;
  #approvers: Approvers;
  /** What became of a decision made here, if it was not taken. */
  #note: Child = null;

  constructor(api: Api, approval: Approval, approvers: Approvers, onDecided: () => void) {
    this.#api = api;
    this.#approvers = approvers;
    this.#approval = approval;
    this.#onDecided = onDecided;
    this.element.setAttribute("aria-labelledby", `title-${approval.id}`);
    fill(
      this.element,
      h(
        "header",
        {},
        h("h3", { id: `title-${approval.id}` }, line(approval.name)),
        h("span", { class: "quiet" }, line(approval.event)),
        this.#left,
      ),
      approval.reason === null ? null : h("p", {}, line(approval.reason)),
      // All of what was asked comes before the buttons, however long it is.
      ...askedBlocks(approval.subject),
      factsOf(approval),
      this.#answer,
    );
    this.tick(Date.now());
    this.#showAnswer();
  }

  get isPending(): boolean {
    return this.#approval.status === "pending";
  }

  /** Takes what an approval takes now; the buttons stay under the hand where that is the same as before. */
  show(approvers: Approvers): void {
    const isSame = JSON.stringify(wayOf(approvers)) === JSON.stringify(wayOf(this.#approvers));
    this.#approvers = approvers;
    if (this.isPending && !isSame) this.#showAnswer();
  }

  /** Takes what was decided meanwhile. */
  async refresh(): Promise<void> {
    this.#approval = await this.#api.call("showApproval", { params: { id: this.#approval.id } });
    if (!this.isPending) this.#showAnswer();
  }

  tick(nowMs: number): void {
    const { expires_at } = this.#approval;
    const left = leftUntil(expires_at, nowMs);
    this.#left.textContent = this.isPending ? `${left} left` : "";
    if (this.isPending && left === "0:00") void this.refresh().catch(() => undefined);
  }

  #showAnswer(): void {
    this.element.classList.toggle("decided", !this.isPending);
    // As high as the form was: the buttons of the card below must not slide to where these were.
    if (!this.isPending) this.#answer.style.minHeight = `${this.#answer.getBoundingClientRect().height}px`;
    if (!this.isPending) fill(this.#answer, this.#note, decisionOf(this.#approval));
    else if (this.#api.may("decideApproval")) fill(this.#answer, ...this.#form());
    else fill(this.#answer, h("p", { class: "quiet" }, "An operator can decide this."));
  }

  #form(): Child[] {
    const { isSigned, passkeys } = wayOf(this.#approvers);
    const chosen = h("select", {}, ...passkeys.map(({ id, name }) => h("option", { value: id }, line(name))));
    const buttons: HTMLButtonElement[] = [];
    const button = (decision: "approved" | "denied", text: string): HTMLButtonElement =>
      h(
        "button",
        {
          type: "button",
          class: decision === "approved" ? "approve" : "deny",
          click: () => {
            for (const one of buttons) one.disabled = true;
            const key = passkeys.find(({ id }) => id === chosen.value);
            void this.#decide(decision, this.#comment.value.trim(), isSigned ? key : undefined).catch(
              (error: unknown) => {
                for (const one of buttons) one.disabled = false;
                fill(told, failure(error));
              },
            );
          },
        },
        text,
      );
    if (!isSigned) buttons.push(button("approved", "Approve once"));
    else if (passkeys.length > 0) buttons.push(button("approved", "Approve once with a passkey"));
    buttons.push(button("denied", "Deny"));
    const told = h("div", { "aria-live": "polite" });
    return [
      field("Comment", this.#comment),
      passkeys.length > 1 ? field("Passkey", chosen) : null,
      h("div", { class: "buttons" }, ...buttons),
      isSigned ? signedHint(this.#approval.id, passkeys.length > 0) : null,
      told,
    ];
  }

  async #decide(
    decision: "approved" | "denied",
    comment: string,
    key: ApproverKey | undefined,
  ): Promise<void> {
    const params = { id: this.#approval.id };
    const { decision_ttl_s: ttlS } = this.#approvers;
    const signature =
      decision === "denied" || key === undefined
        ? null
        : await usePasskey((passkeys) => passkeys.signDecision(this.#approval, comment || null, key, ttlS));
    const body = { decision, ...(comment !== "" && { comment }), ...(signature !== null && { signature }) };
    try {
      this.#approval = await this.#api.call("decideApproval", { params, body });
      this.#showAnswer();
    } catch (error) {
      if (!(error instanceof Refusal && error.problem.code === "SWARM_APPROVAL_DECIDED")) throw error;
      await this.refresh();
      if (this.#approval.status !== "expired")
        this.#note = notice("warn", "Somebody else was faster: your decision was not taken.");
      this.#showAnswer();
    }
    this.#onDecided();
  }
}

/** What an approval takes on this page. */
function wayOf(approvers: Approvers) {
  const isSigned = approvers.require === "person";
  return { isSigned, passkeys: isSigned ? usablePasskeys(approvers) : [] };
}

function signedHint(id: string, hasPasskey: boolean): HTMLElement {
  const where = hasPasskey ? "Or on a terminal: " : "Approving takes a person's key. On a terminal: ";
  return h("p", { class: "quiet" }, where, code(`swarm approvals approve ${id}`));
}

/** The arguments one by one, texts as they are; then the rest of what the digest covers. */
function askedBlocks(subject: Readonly<Record<string, unknown>>): HTMLElement[] {
  const { input, ...rest } = subject;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const args = isObject ? Object.entries(input) : [["input", input] as const];
  return [
    ...args
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (typeof value === "string" ? block(name, value) : jsonBlock(name, value))),
    jsonBlock("where and for whom", rest),
  ];
}

/** What is not part of the question itself. */
function factsOf({ rule, requested_by, requested_at, digest, id, intent_id }: Approval): HTMLElement {
  return facts([
    ["Asked by", textOrNull(rule)],
    ["On behalf of", line(requested_by)],
    ["At", time(requested_at)],
    ["Id", h("a", { href: hashOf("record", {}, intent_id) }, code(id))],
    ["Digest", code(digest)],
  ]);
}

function decisionOf({ status, decided_by, decided_at, comment, signature }: Approval): HTMLElement {
  if (status === "expired") return h("p", {}, badge(status), " Nobody decided in time: that is a no.");
  return h(
    "p",
    {},
    badge(status === "used" ? "approved" : status),
    " by ",
    line(decided_by ?? "somebody"),
    decided_at === null ? null : [" at ", time(decided_at)],
    signature === null ? null : [", signed with ", code(String(signature.key_id))],
    comment === null ? null : [": ", line(comment)],
  );
}
