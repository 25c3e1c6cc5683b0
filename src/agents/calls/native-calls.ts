import { adapterFor, degrade } from "../adapters/index.ts";
import { refuseUnread } from "../adapters/refuse-unread.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Adapter, DecodedCall, NativeAnswer } from "../port/adapter.ts";
import { hasGuard } from "../../daemon/runtime/has-guard.ts";
import { type NativeRequest, payloadOf } from "./native-request.ts";
import type { Project } from "../../daemon/runtime/project.ts";
import { type Answers, type Judged, RememberedAnswers } from "./remembered-answers.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";

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
      const { events } = this.#runtime;
      const decided = await events.decide({ event: call.event, data: call.data, origin });
      const { outcome } = decided;
      await events.record(decided, degrade(adapter, outcome, call));
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
