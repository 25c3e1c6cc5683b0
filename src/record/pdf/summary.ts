import { createHash } from "node:crypto";
import type { RunEvent } from "../port/run-event.ts";
import type { Head } from "../../store/port/store.ts";
import { TwiceTold } from "./failure-rows.ts";
import {
  isApproval,
  isChange,
  isDenial,
  isDriftCheck,
  isFailure,
  isQuestion,
  isRunEnd,
  isRunStart,
} from "./row-kinds.ts";
import { Tally } from "./tally.ts";

/** Something that had a say, as it was then. */
export interface InForce {
  readonly name: string;
  readonly kind: string;
  readonly digest: string;
  readonly from: string;
  to: string;
  calls: number;
}

/** Names come from outside; more than this are counted, not named. */
const maxNames = 500;
/** Versions of hooks and policies, each with its digest. */
const maxInForce = 2_000;

/** What the rows of a range add up to. It does not grow with their number. */
export class Summary {
  rows = 0;
  first: Head | null = null;
  last: Head | null = null;
  firstTime: string | null = null;
  lastTime: string | null = null;
  decisions = 0;
  /** Runs that ended, and those that began. */
  runs = 0;
  begun = 0;
  denials = 0;
  /** Questions that were decided, and those that were asked. */
  approvals = 0;
  questions = 0;
  failures = 0;
  changes = 0;
  driftChecks = 0;
  readonly byDay = new Map<string, { rows: number; denials: number }>();
  readonly byVerdict = new Tally(maxNames);
  readonly byEvent = new Tally(maxNames);
  readonly byRule = new Tally(maxNames);
  readonly byAgent = new Tally(maxNames);
  readonly inForce = new Map<string, InForce>();
  /** Versions of hooks beyond the most that are listed. */
  unlistedInForce = 0;
  readonly #twiceTold = new TwiceTold();
  readonly #hashes = createHash("sha256");
  #digest: string | null = null;

  add(row: RunEvent): void {
    this.rows++;
    this.#hashes.update(row.hash);
    this.first ??= { seq: row.seq, hash: row.hash };
    this.last = { seq: row.seq, hash: row.hash };
    this.firstTime ??= row.time;
    this.lastTime = row.time;
    const day = this.byDay.get(row.time.slice(0, 10)) ?? { rows: 0, denials: 0 };
    this.byDay.set(row.time.slice(0, 10), day);
    day.rows++;
    if (row.kind === "emit") {
      this.decisions++;
      this.byVerdict.add(row.outcome === "failed" ? "could not be decided" : row.verdict);
      this.byEvent.add(row.event);
      if (row.agent !== null) this.byAgent.add(row.agent);
    }
    if (isDenial(row)) {
      this.denials++;
      day.denials++;
      this.byRule.add(ruleOf(row));
    }
    if (isRunEnd(row)) this.runs++;
    if (isRunStart(row)) this.begun++;
    if (isQuestion(row)) this.questions++;
    if (isApproval(row)) this.approvals++;
    if (isFailure(row)) {
      if (this.#twiceTold.firstOf(row) === null) this.failures++;
      this.#twiceTold.hold(row);
    }
    if (isDriftCheck(row)) this.driftChecks++;
    if (isChange(row)) this.changes++;
    this.#addInForce(row);
  }

  /** SHA-256 over the hashes of the rows, in their order: which rows these are, in 64 digits. */
  get rowsDigest(): string {
    this.#digest ??= this.#hashes.digest("hex");
    return this.#digest;
  }

  #addInForce({ time, handlers, hook, hook_digest }: RunEvent): void {
    for (const { name, kind, digest } of handlers) if (digest !== null) this.#see(name, kind, digest, time);
    const isKnown = handlers.some(({ name }) => name === hook);
    if (hook !== null && hook_digest !== null && !isKnown) this.#see(hook, "rule", hook_digest, time);
  }

  #see(name: string, kind: string, digest: string, time: string): void {
    const key = `${digest} ${name}`;
    const known = this.inForce.get(key);
    if (known !== undefined) {
      known.to = time;
      known.calls++;
    } else if (this.inForce.size >= maxInForce) this.unlistedInForce++;
    else this.inForce.set(key, { name, kind, digest, from: time, to: time, calls: 1 });
  }
}

export function ruleOf({ hook }: RunEvent): string {
  return hook ?? "no hook named";
}
