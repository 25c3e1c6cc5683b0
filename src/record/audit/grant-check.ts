import type { Approval } from "../../policy/approvals/port/approval-store.ts";
import type { RunEvent } from "../port/run-event.ts";
import type { SealedRow, Store } from "../../store/port/store.ts";
import { type Grant, grants, overState } from "./grants.ts";
import { isSealed } from "./row-seal.ts";
import type { SigningKey } from "./signing-key.ts";
import type { Fault } from "./verify.ts";

export interface GrantCheckOptions {
  /** As it is, with nothing left out that is not believed. */
  readonly store: Store;
  readonly key: SigningKey;
  /** What is wrong with the record, looked at now. */
  readonly fault: () => Promise<Fault | null>;
}

/** What the record says of one thing that was granted. */
export interface RecordedGrant {
  /** The newest row that tells of it and was written here. */
  readonly row: RunEvent;
  readonly state: string;
  /** Whether there is a newer row about it that was not. */
  readonly isDoubtful: boolean;
}

/** Compares what the store grants with the rows of the record it was granted by. */
export class GrantCheck {
  readonly #options: GrantCheckOptions;

  constructor(options: GrantCheckOptions) {
    this.#options = options;
  }

  /** As it is, with nothing left out that is not believed. */
  get store(): Store {
    return this.#options.store;
  }

  /** Why the record does not say what the store says; null when it does. */
  async problemOf({ ref, state }: Grant): Promise<string | null> {
    return problemOf(state, await this.recorded(ref));
  }

  isWrittenHere(row: SealedRow): boolean {
    return isSealed(this.#options.key, row);
  }

  async recorded(ref: string): Promise<RecordedGrant | null> {
    const { store, key } = this.#options;
    let isDoubtful = false;
    for (const found of await store.sealedRows(ref)) {
      if (!isSealed(key, found)) isDoubtful = true;
      else if (found.seal?.state != null) return { row: found.row, state: found.seal.state, isDoubtful };
    }
    return null;
  }

  /** Everything of one kind that the record says is granted, by what it is found by. */
  async inForce(kind: string): Promise<ReadonlyMap<string, RecordedGrant>> {
    const found = new Map<string, RecordedGrant>();
    for (const ref of await this.#options.store.refsOf(kind)) {
      const recorded = await this.recorded(ref);
      if (recorded !== null && recorded.state !== overState) found.set(ref, recorded);
    }
    return found;
  }

  /** What the record has rows about, none of which was written here: another key is in the place of the one that was. */
  async unsealed(kind: string): Promise<string[]> {
    const { store, key } = this.#options;
    const found: string[] = [];
    for (const ref of await store.refsOf(kind)) {
      const rows = await store.sealedRows(ref);
      if (rows.length > 0 && !rows.some((row) => isSealed(key, row))) found.push(ref);
    }
    return found;
  }

  /**
   * Why an approval does not count, or a question is not the one that was asked; null when all is well. A decision is used
   * once: that no row after it was taken out is checked up to the newest one, which is as far as a decision lives.
   */
  async problemOfApproval(approval: Approval): Promise<string | null> {
    const { store, key, fault } = this.#options;
    const asked = await store.findSealedRow(approval.intent_id);
    if (asked === null) return "no row of the record asks for it";
    if (!isSealed(key, asked) || asked.seal?.state !== grants.question(approval).state)
      return "the question is not the one that was asked";
    if (approval.status !== "approved") return null;
    const decided = await this.recorded(approval.intent_id);
    const problem = problemOf(grants.decision(approval).state, decided);
    if (problem !== null || decided === null) return problem;
    const broken = await fault();
    if (broken !== null) return `the record is not intact: ${broken.problem}`;
    return (await store.isChainedAfter(decided.row))
      ? null
      : "rows of the record after the decision were changed";
  }
}

export function problemOf(state: string, recorded: RecordedGrant | null): string | null {
  if (recorded === null) return "no row of the record tells of it";
  const { row, isDoubtful } = recorded;
  if (isDoubtful) return "a row of the record about it was changed, or was not written here";
  return recorded.state === state ? null : `row ${row.seq} of the record says otherwise`;
}
