import type { NewRow, Store } from "../../src/store/port/store.ts";
import type { Swarm } from "../../src/swarm/service.ts";
import type { Holder } from "../../src/swarm/tasks/leases.ts";

/**
 * What can be made wrong, to see whether the simulation finds it. `epoch`: a call counts as its holder's whatever epoch it
 * names. `tool`: no tool call is denied. `claim`: a task is set aside whether or not it is open and free. `counter`: a claim begins to
 * count from 0.
 */
export const breakings = ["epoch", "tool", "claim", "counter"] as const;
export type Breaking = (typeof breakings)[number];

export type UsedStore = Pick<Store, "tasks" | "agents" | "mail" | "append">;

/** The store with what is to be wrong in it. */
export function breakStore(breaking: Breaking | null, store: Store): UsedStore {
  const { tasks, agents, mail } = store;
  const append: Store["append"] = (rows, changes = []) => {
    const isClaim = changes.some(isOfClaim);
    return store.append(isClaim ? rows.map(toldFromZero) : rows, changes.map(countedFromZero));
  };
  if (breaking === "claim")
    return { tasks: withoutCondition(tasks), agents, mail, append: store.append.bind(store) };
  return breaking === "counter" ? { tasks, agents, mail, append } : store;
}

/** The service with what is to be wrong in it. */
export function breakSwarm(breaking: Breaking | null, { fence, leases, tasks }: Swarm): void {
  if (breaking === "tool") fence.whyDenied = () => null;
  if (breaking !== "epoch") return;
  for (const name of ["renew", "progress", "report", "fail", "pause", "ask"] as const) {
    const method = leases[name] as (...args: unknown[]) => Promise<unknown>;
    const asIfHeld = async (taskId: string, _holder: Holder, ...rest: unknown[]): Promise<unknown> => {
      const { owner, epoch } = await tasks.find(taskId);
      return method.call(leases, taskId, { actor: owner ?? "", epoch }, ...rest);
    };
    Object.assign(leases, { [name]: asIfHeld });
  }
}

function withoutCondition(tasks: Store["tasks"]): Store["tasks"] {
  const reserve: Store["tasks"]["reserve"] = async (reservation) => {
    const found = await tasks.reserve(reservation);
    if (found !== null || reservation.taskId !== null) return found;
    const all = await tasks.list({ limit: 1_000 });
    return all.findLast(({ state }) => state !== "landed") ?? null;
  };
  return new Proxy(tasks, {
    get(own, name) {
      if (name === "reserve") return reserve;
      const value: unknown = Reflect.get(own, name);
      return typeof value === "function" ? value.bind(own) : value;
    },
  });
}

type Change = NonNullable<Parameters<Store["append"]>[1]>[number];

function isOfClaim(change: Change): boolean {
  return change.kind === "task_saved" && change.task.state === "claimed";
}

function countedFromZero(change: Change): Change {
  if (change.kind !== "task_saved" || !isOfClaim(change)) return change;
  return { ...change, task: { ...change.task, attempts: 0 } };
}

/** A service that forgets what it has counted says the same in its rows. */
function toldFromZero({ entry, ...row }: NewRow): NewRow {
  const after = JSON.parse(entry.after ?? "{}") as { readonly changed?: object };
  const changed = { ...after.changed, attempts: 0 };
  return { ...row, entry: { ...entry, after: JSON.stringify({ ...after, changed }) } };
}
