import { proofProblem } from "./check-proof.ts";
import { damaged, followChange, type History, isFree, noApprovers, readHistory } from "./history.ts";
import {
  type ApproverAction,
  type ApproverKey,
  type DecisionMessage,
  decisionText,
  type Proof,
} from "./message.ts";
import { readStoredProof } from "./read-recorded.ts";
import { rowHash } from "../../record/port/chain.ts";
import { type ApproverMark, approverRows, hasApproverRows } from "../../record/audit/head-mark.ts";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { PayloadInput } from "../../engine/events/names.ts";
import type { PersonCheck } from "../approvals/signed-decision.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { EmitRequest } from "../../daemon/runtime/port/emit.ts";
import type { Store } from "../../store/port/store.ts";

export interface ApproversOptions {
  readonly store: Pick<Store, "approverChanges" | "approvals" | "sync">;
  readonly mark: ApproverMark;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
  /** What the user's file says now; it throws while that is broken. */
  readonly configured: () => "any" | "person";
  readonly emit: (request: EmitRequest) => Promise<unknown>;
}

/** A change that waits for the signature of an approver. */
export interface WaitingChange {
  readonly id: string;
  readonly change: ApproverAction;
  readonly revision: number;
  readonly expires_at: string;
}

type NewChange = readonly [
  revision: number,
  change: ApproverAction,
  actor: string,
  signed: { readonly proof: Proof; readonly decidedAt: string } | null,
];

/** Long enough to open a terminal and type a passphrase. */
const waitMs = 600_000;
const maxWaiting = 20;
const maxSkewMs = 300_000;

const events: Readonly<Record<ApproverAction["action"], RecordedChange>> = {
  add: "approver.added",
  remove: "approver.removed",
  require: "approver.required",
};

/**
 * The people whose keys sign approvals. The keys are what the rows of the record say, each change allowed by those before
 * it: a key that was only written into a file or a table does not count.
 */
export class Approvers implements PersonCheck {
  readonly #options: ApproversOptions;
  readonly #waiting = new Map<string, WaitingChange>();
  /** The last counter of each passkey whose signature was accepted by this process. */
  readonly #counters = new Map<string, number>();
  #lastConfigured: "any" | "person" = "any";
  #recording: Promise<void> = Promise.resolve();
  #known: { readonly hashes: readonly string[]; readonly history: History } = {
    hashes: [],
    history: { ...noApprovers, refused: [] },
  };

  constructor(options: ApproversOptions) {
    this.#options = options;
  }

  async history(): Promise<History> {
    const found = await this.#options.store.approverChanges();
    const rows = found.map(({ row, text }) => ({
      seq: row.seq,
      before_hash: row.before_hash,
      text: rowHash(row) === row.hash ? text : null,
    }));
    const hashes = found.map(({ row }) => row.hash);
    const { hashes: known, history } = this.#known;
    const marked = this.#options.mark.approvers();
    // Rows are only ever added. If one is gone or another, the record was replaced, under this process or before it.
    const isWhole = marked !== null && hasApproverRows(marked, hashes);
    if (!isWhole || known.some((hash, index) => hashes[index] !== hash)) {
      this.#options.log.warn("the rows of the approvers in the record were changed: no approval counts", {});
      const refused = [{ seq: rows.at(-1)?.seq ?? 0, problem: "rows before it were changed" }];
      return { ...damaged(history), refused };
    }
    if (hashes.length > known.length) this.#known = { hashes, history: await readHistory(rows) };
    if (hashes.length > marked.count && !this.#known.history.isDamaged) {
      await this.#options.store.sync(); // the mark must not run ahead of rows that a power loss takes
      this.#options.mark.keepApprovers(approverRows(found));
    }
    return this.#known.history;
  }

  /** By the user's file, or by the record: what was asked for once while there was a key holds until an approver ends it. */
  async isRequired(): Promise<boolean> {
    const { isPersonRequired, keys, revision } = await this.history();
    if (isPersonRequired) return true;
    if (this.configured() !== "person") return false;
    if (keys.length === 0) return true;
    try {
      await this.#record(revision, { action: "require", require: "person" }, "swarm", null);
    } catch (error) {
      // Another process that records it at the same moment is as good.
      if (!(error instanceof SwarmError && error.code === "SWARM_APPROVER_REFUSED")) throw error;
    }
    return true;
  }

  configured(): "any" | "person" {
    try {
      this.#lastConfigured = this.#options.configured();
    } catch (error) {
      // Whoever breaks the file does not thereby change what it said.
      if (!(error instanceof SwarmError)) throw error;
    }
    return this.#lastConfigured;
  }

  async problemOf(message: DecisionMessage, proof: Proof): Promise<string | null> {
    const key = (await this.history()).keys.find(({ id }) => id === proof.key_id);
    if (key === undefined) return "the key it names is no approver's";
    return proofProblem(key, decisionText({ ...message, key_id: key.id }), proof);
  }

  /**
   * What can be checked only at the moment of signing: the page a passkey was asked on, and that its counter is higher than
   * the last one, which a copy of the authenticator would repeat. Null when both are as they should be.
   */
  async freshProblem(proof: Proof, pageOrigin: string | null): Promise<string | null> {
    if (proof.client_data === undefined) return null;
    const { counterOf, originOf } = await import("./passkey.ts");
    if (pageOrigin === null || originOf(proof) !== pageOrigin)
      return "it was not made on the dashboard's page";
    const [counter, last] = [counterOf(proof), await this.#lastCounter(proof.key_id)];
    // An authenticator without a counter always says 0.
    return counter > last || (counter === 0 && last === 0) ? null : "the passkey's counter did not increase";
  }

  /** Called when a signature was accepted, not before: a forged one must not raise the counter. */
  async keepCounter(proof: Proof): Promise<void> {
    if (proof.client_data === undefined) return;
    const { counterOf } = await import("./passkey.ts");
    this.#counters.set(proof.key_id, counterOf(proof));
  }

  async #lastCounter(keyId: string): Promise<number> {
    const kept = this.#counters.get(keyId);
    if (kept !== undefined) return kept;
    const { counterOf } = await import("./passkey.ts");
    const proof = readStoredProof(await this.#options.store.approvals.lastSignatureBy(keyId));
    return proof === null ? 0 : counterOf(proof);
  }

  waiting(): WaitingChange[] {
    const now = new Date(this.#options.clock.now()).toISOString();
    for (const [id, { expires_at }] of this.#waiting) if (expires_at <= now) this.#waiting.delete(id);
    return [...this.#waiting.values()];
  }

  /** Makes the change where nobody has to sign it; otherwise it waits to be confirmed. */
  async propose(change: ApproverAction, actor: string): Promise<WaitingChange | null> {
    const history = await this.history();
    const { revision, keys, isDamaged } = history;
    if (isDamaged)
      throw refused("the rows of the approvers in the record are damaged: see swarm audit verify");
    if (keys.length === 0 && change.action === "add" && change.key.kind === "passkey")
      throw refused(
        "the first key is made on a terminal, by swarm approvals key add; it then confirms passkeys",
      );
    if (change.action === "require" && change.require === "any" && this.configured() === "person")
      throw refused("the user's config.yaml says approvals.require: person; take that out first");
    if (isFree(history, change)) {
      await this.#record(revision, change, actor, null);
      return null;
    }
    const id = newId("chg", this.#options.clock.now());
    const expires_at = new Date(this.#options.clock.now() + waitMs).toISOString();
    const waiting = { id, change, revision, expires_at };
    if (this.waiting().length >= maxWaiting)
      throw refused(`${maxWaiting} changes wait to be confirmed already`);
    this.#waiting.set(id, waiting);
    return waiting;
  }

  async confirm(id: string, decidedAt: string, proof: Proof, actor: string): Promise<void> {
    const waiting = this.waiting().find((one) => one.id === id);
    if (waiting === undefined) throw new SwarmError("SWARM_APPROVER_CHANGE_UNKNOWN", { id });
    if (!(Math.abs(this.#options.clock.now() - Date.parse(decidedAt)) <= maxSkewMs))
      throw refused("it was not signed just now");
    await this.#record(waiting.revision, waiting.change, actor, { proof, decidedAt });
    this.#waiting.delete(id);
  }

  /** One after the other: a row for a revision that is over would be a fault of the record. */
  #record(...change: NewChange): Promise<void> {
    const recorded = this.#recording.then(() => this.#recordNext(...change));
    this.#recording = recorded.catch(() => undefined);
    return recorded;
  }

  async #recordNext(...[revision, change, actor, signed]: NewChange): Promise<void> {
    const { audit, clock } = this.#options;
    const decided_at = signed?.decidedAt ?? new Date(clock.now()).toISOString();
    const recorded = { revision, change, decided_at, proof: signed?.proof ?? null };
    const history = await this.history();
    const next = await followChange(history, recorded);
    if (typeof next === "string") throw refused(next);
    if (next === history) return;
    const by = history.keys.find(({ id }) => id === signed?.proof.key_id);
    const signer = by === undefined ? "" : `, signed by ${by.name} (${by.id})`;
    const [event, reason] = [events[change.action], `${describe(change, history.keys)}${signer}`];
    await audit.record({ kind: "change", event, actor, reason, before: JSON.stringify(recorded) });
    // Another process may have been faster; then this row does not count, and that is said.
    const now = await this.history();
    if (now.revision !== next.revision || JSON.stringify(now.keys) !== JSON.stringify(next.keys))
      throw refused("another change came first; try again");
    await this.#raiseAlert(event, reason, actor);
  }

  /** A key that an agent has added by itself, or a requirement that has ended, is to be noticed by its owner. */
  async #raiseAlert(event: RecordedChange, reason: string, actor: string): Promise<void> {
    const data = {
      name: event,
      level: "warning",
      message: `${event}: ${reason}`,
      details: { actor },
    } satisfies PayloadInput<"alert.raised">;
    const { log, emit } = this.#options;
    await tellOrLog(log, () => emit({ event: "alert.raised", data, origin: { source: "approvals" } }));
  }
}

function describe(change: ApproverAction, keys: readonly ApproverKey[]): string {
  switch (change.action) {
    case "add":
      return `${change.key.kind} key ${change.key.name} (${change.key.id})`;
    case "remove":
      return `key ${keys.find(({ id }) => id === change.key_id)?.name} (${change.key_id})`;
    case "require":
      return `approvals take ${change.require === "person" ? "a person's key" : "any operator's token"}`;
  }
}

function refused(problem: string): SwarmError {
  return new SwarmError("SWARM_APPROVER_REFUSED", { problem });
}
