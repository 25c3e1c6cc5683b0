import { setImmediate } from "node:timers/promises";
import type { RunEventQuery } from "../port/store.ts";
import { searchStatements } from "../sql/search.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** So many rows are looked at before others have their turn: 10 ms. */
const stepRows = 4_000;

type Given<Name extends keyof typeof searchStatements> = Parameters<
  Statements<typeof searchStatements>[Name]["all"]
>[0];

/** Finds rows of the record, newest first, by the index that leads to them soonest. */
export class RunEventSearch<Row extends { readonly seq: number }> {
  readonly #sql: Statements<typeof searchStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(searchStatements);
  }

  async find(query: RunEventQuery): Promise<Row[]> {
    const { limit, since = null } = query;
    const from_seq = since === null ? 0 : this.#sql.firstSince.one<{ seq: number | null }>({ since })?.seq;
    if (from_seq == null || limit === 0) return [];
    const { event = null, kind = null, verdict = null, session = null, hookId: hook_id = null } = query;
    const range = { before_seq: query.beforeSeq ?? Number.MAX_SAFE_INTEGER, from_seq, since, limit };
    const words = { event, kind, verdict };
    const given = { ...range, ...words, hook_id };
    if (session !== null) return this.#sql.ofSession.all<Row>({ ...given, session });
    const hasWords = event !== null || kind !== null || verdict !== null;
    if (hook_id !== null && !(hasWords && this.#isFew({ ...range, ...words })))
      return this.#ofHook({ ...given, hook_id }, hasWords);
    return hasWords ? this.#sql.ofGroups.all<Row>(given) : this.#sql.newest.all<Row>(range);
  }

  /** Whether to look each of them up costs no more than a step through the rows of a hook. */
  #isFew(values: Omit<Given<"countOfGroups">, "limit">): boolean {
    const found = this.#sql.countOfGroups.one<{ count: number }>({ ...values, limit: stepRows });
    return found !== null && found.count < stepRows;
  }

  /** What else is asked of them is in the rows: a hook that has many and none that fits is looked through in steps. */
  async #ofHook(values: Given<"ofHook">, hasWords: boolean): Promise<Row[]> {
    const found: Row[] = [];
    for (let before_seq = Number(values.before_seq); ; ) {
      const step = { hook_id: values.hook_id, before_seq, count: stepRows };
      const oldest = this.#sql.hookStep.one<{ seq: number | null }>(step)?.seq ?? null;
      if (oldest === null || before_seq <= Number(values.from_seq)) return found;
      const from_seq = Math.max(oldest, Number(values.from_seq));
      const limit = Number(values.limit) - found.length;
      const range = { ...values, before_seq, from_seq, limit };
      const { ofGroups, ofHook } = this.#sql;
      found.push(...(hasWords && this.#isFew(range) ? ofGroups.all<Row>(range) : ofHook.all<Row>(range)));
      if (found.length === values.limit) return found;
      before_seq = from_seq;
      await setImmediate();
    }
  }
}
