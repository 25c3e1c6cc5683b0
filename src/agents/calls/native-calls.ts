import { adapterFor, degrade } from "../adapters/index.ts";
import { refuseUnread } from "../adapters/refuse-unread.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Adapter, DecodedCall, NativeAnswer } from "../port/adapter.ts";
import { agentTokenVariable } from "../port/adapter.ts";
import { addMessages } from "./add-messages.ts";
import { hasGuard } from "../../daemon/runtime/has-guard.ts";
import type { Project } from "../../daemon/runtime/project.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";

/** What an agent's hook was started with. */
export interface NativeRequest {
  readonly agent: string;
  /** Whether silence may be taken for consent: if not, every mistake is a refusal. */
  readonly isGuard: boolean;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

/** We answer this long before the agent stops waiting: it would take a kill for consent. */
const marginMs = 500;

export interface NativeCallsOptions {
  /** Where the answer to a call that comes again is found; by default in this process. */
  readonly answers?: Answers;
  /** Told when a call came by an entry that is not a guard's though there is a guard for its event, and from where. */
  readonly onUnguarded?: (cwd: string) => void;
}

/** Answers agents' hook calls in their own words, each call once, however many files it comes in by. */
export class NativeCalls {
  readonly #runtime: Runtime;
  readonly #options: NativeCallsOptions;
  readonly #answers: Answers;

  constructor(runtime: Runtime, options: NativeCallsOptions = {}) {
    this.#runtime = runtime;
    this.#options = options;
    this.#answers = options.answers ?? new RememberedAnswers();
  }

  async answer(request: NativeRequest): Promise<NativeAnswer> {
    const payload = payloadOf(request);
    const adapter = payload === null ? null : adapterFor({ payload, env: request.env }, request.agent);
    if (payload === null || adapter === null) return this.#refuse(request, payload);
    const call = adapter.decode({ payload, env: request.env });
    const judge = () => this.#judge(adapter, call, request);
    const judged = await (call.key === null ? judge() : this.#answers.once(call.key, judge));
    if (this.#options.onUnguarded !== undefined) this.#isGuarded(call, request);
    if (!(judged instanceof SwarmError)) {
      const { stdout, stderr, exitCode } = judged;
      return { stdout, stderr, exitCode };
    }
    // Each copy by its own entry: the one that came first may be an observer's.
    return this.#isGuarded(call, request) ? adapter.refuse(judged.message, call) : silence;
  }

  async #judge(adapter: Adapter, call: DecodedCall, request: NativeRequest): Promise<Judged> {
    const budgetMs = request.timeoutMs - marginMs;
    const answerByMs = request.timeoutMs > 0 ? performance.now() + Math.max(budgetMs, 1) : undefined;
    try {
      const origin = { ...call.origin, answerByMs };
      const { events, swarm } = this.#runtime;
      await swarm.note(call.origin.session, request.env[agentTokenVariable]);
      const decided = await events.decide({ event: call.event, data: call.data, origin });
      const { outcome } = decided;
      const notes = degrade(adapter, outcome, call);
      notes.push(...(await addMessages(swarm, adapter, call, outcome)));
      await events.record(decided, notes);
      const answer = adapter.encode(outcome, call);
      // Once it is decided the same call has another answer.
      if (outcome.approval?.status === "pending") return { ...answer, isProvisional: true };
      // An agent that runs hooks in order shows the next one what came of this one: that has been judged as well.
      const rewritten = outcome.data === call.data ? null : call.keyWith(outcome.data as DecodedCall["data"]);
      if (rewritten !== null) this.#answers.remember(rewritten, answer);
      return answer;
    } catch (error) {
      if (error instanceof SwarmError) return error;
      throw error;
    }
  }

  /** By its entry, or by the hooks in force, which may have come after the entry. */
  #isGuarded({ event, origin }: DecodedCall, { isGuard }: NativeRequest): boolean {
    if (isGuard) return true;
    const project = projectOrNull(this.#runtime, origin.cwd);
    if (project === null) return false;
    if (!hasGuard(project.inForce, event)) return false;
    this.#options.onUnguarded?.(project.cwd);
    return true;
  }

  /** What nobody can read, or nobody we know has sent. */
  #refuse(request: NativeRequest, payload: object | null): NativeAnswer {
    if (!request.isGuard) return silence;
    const what = payload === null ? "the input is not a JSON object" : "it was no agent we know that called";
    return refuseUnread(request.agent, request.env, what);
  }
}

/** Null where a configuration has never been good. */
function projectOrNull(runtime: Runtime, cwd: string | undefined): Project | null {
  try {
    return runtime.projects.at(cwd);
  } catch (error) {
    if (error instanceof SwarmError) return null;
    throw error;
  }
}

const silence: NativeAnswer = { stdout: "", stderr: "", exitCode: 0 };

/** Null for what is not a JSON object. */
function payloadOf({ input }: NativeRequest): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

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
/** So many are kept at least, if they come within that time, and twice as many at most. */
const maxRemembered = 10_000;

/** Finds the answer to a call that came before this process did. */
type FindEarlier = (key: string) => Promise<NativeAnswer | null>;

interface Remembered {
  readonly untilMs: number;
  readonly judged: Promise<Judged>;
}

/** For copies that come to one process: the daemon. */
export class RememberedAnswers implements Answers {
  /** In two generations: a map whose oldest entry is taken out at every call took 8 to 40 µs once it was full. */
  #newer = new Map<string, Remembered>();
  #older = new Map<string, Remembered>();
  #turnedAtMs = performance.now();
  readonly #findEarlier: FindEarlier | undefined;
  /** Until then the first copy may have come before this process did. */
  readonly #earlierUntilMs = performance.now() + rememberMs;

  constructor(findEarlier?: FindEarlier) {
    this.#findEarlier = findEarlier;
  }

  once(key: string, judge: () => Promise<Judged>): Promise<Judged> {
    const nowMs = performance.now();
    const known = this.#newer.get(key) ?? this.#older.get(key);
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
    if (this.#newer.size >= maxRemembered || nowMs - this.#turnedAtMs >= rememberMs) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#turnedAtMs = nowMs;
    }
    this.#newer.set(key, { untilMs: nowMs + rememberMs, judged });
    const forget = (came: Judged): void => void (isProvisional(came) && this.#forget(key));
    judged.then(forget, () => undefined); // whoever asked hears of a failure
  }

  #forget(key: string): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}
