import type { Approval } from "../../policy/approvals/port/approval-store.ts";
import type { Store } from "../../store/port/store.ts";
import { type GrantCheck, problemOf } from "./grant-check.ts";
import { type Grant, grants } from "./grants.ts";
import type { Fault } from "./verify.ts";

const pageSize = 500;

/** What the store grants without, or against, the record, and what the record grants and the store has lost. */
export async function grantFaults(store: Store, check: GrantCheck, nowIso: string): Promise<Fault[]> {
  const faults: Fault[] = [];
  const blame = (seq: number, problem: string): void => void faults.push({ kind: "grant", seq, problem });
  for (const [kind, granted] of await grantedBy(store)) {
    const recorded = await check.inForce(kind);
    for (const { ref, state } of granted) {
      const problem = problemOf(state, recorded.get(ref) ?? null);
      if (problem !== null) blame(recorded.get(ref)?.row.seq ?? 0, `${ref} is in the store, but ${problem}`);
    }
    const refs = new Set(granted.map(({ ref }) => ref));
    for (const [ref, { row }] of recorded)
      if (!refs.has(ref)) blame(row.seq, `${ref} was recorded in row ${row.seq} and is gone from the store`);
  }
  for await (const approval of allApprovals(store)) {
    const problem = await problemOfApproval(store, check, approval, nowIso);
    if (problem !== null)
      blame(0, `approval ${approval.id} is ${approval.status} in the store, but ${problem}`);
  }
  return faults;
}

async function grantedBy(store: Store): Promise<[kind: string, granted: Grant[]][]> {
  const { trusted, ignored } = await store.trust.list();
  const files = [...new Set(trusted.map(({ file }) => file))];
  const tokens = (await store.tokens.list()).filter(({ revoked_at }) => revoked_at === null);
  const projects = files.map((file) =>
    grants.project(
      file,
      trusted.filter((hook) => hook.file === file),
    ),
  );
  return [
    ["token", tokens.map(grants.token)],
    ["trust", [...projects, ...ignored.map(grants.ignored)]],
    ["file", (await store.fileTrust.list()).map(grants.file)],
    ["plugin", (await store.plugins.list()).map(grants.plugin)],
    ["flag", (await store.flags.list()).map(grants.flag)],
    ["hook", (await store.listHookSwitches()).map(grants.hookSwitch)],
    ["model", (await store.pipelines.listStages()).map(grants.stage)],
  ];
}

/** A decision that has lapsed grants nothing; that one was made is looked for wherever one was used. */
async function problemOfApproval(
  store: Store,
  check: GrantCheck,
  approval: Approval,
  nowIso: string,
): Promise<string | null> {
  const { status, expires_at, intent_id } = approval;
  if (status === "pending" || (status === "approved" && expires_at > nowIso))
    return check.problemOfApproval(approval);
  if (status !== "approved" && status !== "used") return null;
  const rows = await store.sealedRows(intent_id);
  const isDecided = rows.some(({ row: { kind, verdict } }) => kind === "outcome" && verdict === "allow");
  return isDecided ? null : "no row of the record decides it";
}

async function* allApprovals(store: Store): AsyncGenerator<Approval> {
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await store.approvals.list({ limit: pageSize, beforeSeq });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    beforeSeq = last.seq;
  }
}
