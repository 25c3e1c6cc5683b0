/**
 * States of a task. What a worker reports is not done: only what has landed is. `blocked` and `needs_input` wait for a
 * person; a task that waits for other tasks is open and not ready.
 */
export const taskStates = [
  "open",
  "claimed",
  "working",
  "reported",
  "gating",
  "queued",
  "landed",
  "blocked",
  "needs_input",
  "failed",
  "cancelled",
  "superseded",
] as const;
export type TaskState = (typeof taskStates)[number];

/** States in which an agent or a person has the task's lease. */
export const heldStates = ["claimed", "working"] as const satisfies readonly TaskState[];

/** How an attempt at a task ended. They stay distinct: each asks for something else. */
export const attemptEndings = [
  "failed",
  "timed_out",
  "stalled",
  "crashed",
  "rate_limited",
  "sent_back",
  "cancelled",
  "superseded",
] as const;
export type AttemptEnding = (typeof attemptEndings)[number];

/** Who may take an action: whoever has the lease, a person (or a lead, within its tasks), or the swarm itself. */
export const actionTakers = ["holder", "person", "swarm"] as const;

export interface Transition {
  readonly from: readonly TaskState[];
  /** Where it leads; with several, the task's counters decide. */
  readonly to: readonly TaskState[];
  readonly by: readonly (typeof actionTakers)[number][];
  readonly doc: string;
}

const unfinished = [
  "open",
  "claimed",
  "working",
  "reported",
  "gating",
  "queued",
  "blocked",
  "needs_input",
  "failed",
] as const satisfies readonly TaskState[];

/** Every change of state there is. What is legal, the errors, docs/task-states.md and its diagram follow from these rows. */
export const transitions = {
  claim: {
    from: ["open"],
    to: ["claimed"],
    by: ["holder"],
    doc: "An agent or a person takes a ready task, with a lease.",
  },
  progress: {
    from: ["claimed", "working"],
    to: ["working"],
    by: ["holder"],
    doc: "The holder says what it is doing.",
  },
  report: {
    from: ["claimed", "working"],
    to: ["reported"],
    by: ["holder"],
    doc: "The holder says that the work is done.",
  },
  gate: { from: ["reported"], to: ["gating"], by: ["swarm"], doc: "The quality gates look at the work." },
  queue: {
    from: ["gating"],
    to: ["queued"],
    by: ["swarm"],
    doc: "The gates have passed; the work waits to land.",
  },
  land: { from: ["queued"], to: ["landed"], by: ["swarm"], doc: "The work is in the target branch." },
  complete: {
    from: ["reported"],
    to: ["landed"],
    by: ["swarm"],
    doc: "A task that changes no files is done with its report and evidence.",
  },
  accept: {
    from: unfinished,
    to: ["landed"],
    by: ["person"],
    doc: "A person says that the work has landed elsewhere.",
  },
  send_back: {
    from: ["reported", "gating", "queued"],
    to: ["open", "failed"],
    by: ["swarm", "person"],
    doc: "A gate, a conflict or a review wants more work; after too many attempts it fails.",
  },
  ask: {
    from: ["claimed", "working"],
    to: ["needs_input"],
    by: ["holder"],
    doc: "The holder asks a person.",
  },
  answer: { from: ["needs_input"], to: ["open"], by: ["person"], doc: "A person has answered." },
  block: {
    from: ["open"],
    to: ["blocked"],
    by: ["person"],
    doc: "A person keeps the task from being claimed.",
  },
  unblock: { from: ["blocked"], to: ["open"], by: ["person"], doc: "A person lets it be claimed again." },
  fail: {
    from: ["claimed", "working"],
    to: ["failed"],
    by: ["holder"],
    doc: "The holder gives up; it is retried later unless it failed too often.",
  },
  pause: {
    from: ["claimed", "working"],
    to: ["open"],
    by: ["holder"],
    doc: "A rate limit stopped the holder; that costs no attempt.",
  },
  lose: {
    from: ["claimed", "working"],
    to: ["open", "needs_input", "failed"],
    by: ["swarm"],
    doc: "The holder's process ended, or its lease did: it is resumed, three times at most.",
  },
  retry: {
    from: ["failed"],
    to: ["open"],
    by: ["swarm", "person"],
    doc: "A failed task is tried again, by itself after a pause or by a person at once.",
  },
  cancel: { from: unfinished, to: ["cancelled"], by: ["person"], doc: "A person wants it no more." },
  supersede: {
    from: unfinished,
    to: ["superseded"],
    by: ["person"],
    doc: "Another task takes its place, also for those that wait for it.",
  },
  reopen: {
    from: ["cancelled", "superseded"],
    to: ["open"],
    by: ["person"],
    doc: "A person wants it after all.",
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type TaskAction = keyof typeof transitions;
export const taskActions = Object.keys(transitions) as readonly TaskAction[];

export function isHeld(state: TaskState): boolean {
  return (heldStates as readonly TaskState[]).includes(state);
}
