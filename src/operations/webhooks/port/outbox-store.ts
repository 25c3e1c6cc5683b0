/** `pending` is tried again; `dead` is not, until somebody replays it. */
export const deliveryStates = ["pending", "delivered", "dead"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A message that is to be sent. Where to and signed with what is up to its hook at the time: no secret is kept. */
export interface NewDelivery {
  /** `webhook-id`: the same however often it is sent. */
  readonly id: string;
  readonly event: string;
  readonly event_id: string;
  readonly hook_id: string;
  readonly hook: string;
  /** Deliveries with the same one arrive in the order they were queued in. */
  readonly target: string;
  /** The folder whose configuration has the hook; null: the daemon's own. */
  readonly cwd: string | null;
  readonly body: string;
  readonly created_at_ms: number;
}

export interface Delivery extends NewDelivery {
  /** The order of all deliveries. */
  readonly seq: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Those of them that count against the hook's `retry`. */
  readonly retries: number;
  /** HTTP status of the last attempt, if there was an answer. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  /** When it was delivered or given up. */
  readonly ended_at_ms: number | null;
}

/** What sending it takes. */
export type PendingDelivery = Omit<Delivery, "state" | "ended_at_ms">;

/** Where deliveries go to, as far as their order and their failures are concerned. */
export interface Target {
  readonly target: string;
  /** Failures in a row: more than none and its breaker is open until `next_at_ms`. */
  readonly failures: number;
  /** When it is tried next; null when nothing is pending. */
  readonly next_at_ms: number | null;
  readonly last_error: string | null;
  /** Name of the hook whose delivery comes next; null when nothing is pending. */
  readonly hook: string | null;
}

/** A target that is one worker's alone until the lease ends. */
export type ClaimedTarget = Pick<Target, "target" | "failures">;

export interface ClaimQuery {
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
  readonly limit: number;
}

export interface RenewQuery {
  readonly owner: string;
  readonly targets: readonly string[];
  readonly leaseUntilMs: number;
}

/** How far a worker came with a target. */
export interface TargetProgress {
  readonly owner: string;
  readonly target: string;
  readonly nowMs: number;
  /** What became of deliveries that were tried. */
  readonly results: readonly DeliveryResult[];
  /** Whose deliveries go elsewhere by now: all that is pending of them waits there from now on. */
  readonly moved: readonly MovedHook[];
  readonly failures: number;
  readonly last_error: string | null;
  /** When to go on with what is pending: not before. */
  readonly nextAtMs: number;
}

export interface MovedHook extends Pick<NewDelivery, "hook_id" | "cwd"> {
  readonly to: string;
}

export interface DeliveryResult {
  readonly seq: number;
  readonly id: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly retries: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

export interface DeliveryQuery {
  readonly limit: number;
  /** Only older ones than this. */
  readonly beforeSeq?: number | undefined;
  readonly state?: DeliveryState | undefined;
  readonly hookId?: string | undefined;
}

/** No total is more than this: what counting costs would grow with a backlog. */
export const mostCounted = 10_000;

/** A total as it is shown. */
export function countText(count: number, most = mostCounted): string {
  return count >= most ? `${most}+` : String(count);
}

export interface OutboxTotals {
  readonly pending: number;
  readonly dead: number;
  /** Targets whose breaker is open. */
  readonly open_targets: number;
}

/** Written with the row of the record that tells of it. */
export type OutboxChange =
  | { readonly kind: "outbox_enqueue"; readonly deliveries: readonly NewDelivery[] }
  /** Writes what became of it and gives the target back; throws SWARM_TARGET_LOST when it is no longer the owner's. */
  | ({ readonly kind: "outbox_settle" } & TargetProgress)
  /** Throws SWARM_DELIVERY_UNKNOWN or SWARM_DELIVERY_PENDING. */
  | { readonly kind: "outbox_replay"; readonly id: string; readonly nowMs: number };

/** Messages on their way out. One suite (`outbox-store.cases.ts`) holds for every driver. */
export interface OutboxStore {
  /** Takes targets that are due, in one statement that several processes can race: none is taken by two. */
  claim(query: ClaimQuery): Promise<ClaimedTarget[]>;
  /** Has an owner keep those of these targets that are still its own until a later time. */
  renew(query: RenewQuery): Promise<void>;
  /** Gives back whatever this owner has: for one that died with it and is there again. */
  release(owner: string): Promise<void>;
  /** Oldest first, of each target as many as the limit says. */
  pending(targets: readonly string[], limit: number): Promise<PendingDelivery[]>;
  /** When the next target is due that nobody has; null when none is. */
  nextDueAtMs(): Promise<number | null>;

  /** Newest first. */
  list(query: DeliveryQuery): Promise<Delivery[]>;
  find(id: string): Promise<Delivery | null>;
  targets(): Promise<Target[]>;
  totals(): Promise<OutboxTotals>;
  /** Forgets what ended before this time and tells how many; nothing that is pending. */
  expire(endedBeforeMs: number): Promise<number>;
}
