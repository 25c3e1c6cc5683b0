import type { SwarmError } from "../../base/errors.ts";
import type { NativeAnswer } from "../port/adapter.ts";

/** What came of a call: an answer, or why there is none. */
export type Judged = JudgedAnswer | SwarmError;

export interface JudgedAnswer extends NativeAnswer {
  /** A person is asked: the next time it may be another one, so it is not kept. */
  readonly isProvisional?: true;
}

export function isProvisional(judged: Judged): boolean {
  return "isProvisional" in judged;
}

/** Sees to it that a call which comes by two settings files is judged once. */
export interface Answers {
  once(key: string, judge: () => Promise<Judged>): Promise<Judged>;
  /** The same answer for the call under another key. */
  remember(key: string, answer: NativeAnswer): void;
}

/** How long the second copy of a call can come after the first. */
export const rememberMs = 60_000;
const maxRemembered = 10_000;

/** Finds the answer to a call that came before this process did. */
type FindEarlier = (key: string) => Promise<NativeAnswer | null>;

/** For copies that come to one process: the daemon. */
export class RememberedAnswers implements Answers {
  readonly #remembered = new Map<string, { readonly untilMs: number; readonly judged: Promise<Judged> }>();
  readonly #findEarlier: FindEarlier | undefined;
  /** Until then the first copy may have come before this process did. */
  readonly #earlierUntilMs = performance.now() + rememberMs;

  constructor(findEarlier?: FindEarlier) {
    this.#findEarlier = findEarlier;
  }

  once(key: string, judge: () => Promise<Judged>): Promise<Judged> {
    const nowMs = performance.now();
    const known = this.#remembered.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.judged;
    const find = nowMs < this.#earlierUntilMs ? this.#findEarlier : undefined;
    const judged = find === undefined ? judge() : find(key).then((found) => found ?? judge());
    this.#set(key, judged);
    return judged;
  }

  remember(key: string, answer: NativeAnswer): void {
    this.#set(key, Promise.resolve(answer));
  }

  #set(key: string, judged: Promise<Judged>): void {
    const nowMs = performance.now();
    this.#remembered.set(key, { untilMs: nowMs + rememberMs, judged });
    const forget = (came: Judged): void => void (isProvisional(came) && this.#remembered.delete(key));
    judged.then(forget, () => undefined); // whoever asked hears of a failure
    for (const [old, { untilMs }] of this.#remembered) {
      if (untilMs > nowMs && this.#remembered.size <= maxRemembered) break;
      this.#remembered.delete(old);
    }
  }
}
