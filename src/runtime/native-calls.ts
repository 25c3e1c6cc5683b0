import { adapterFor, degrade } from "../adapters/index.ts";
import { SwarmError } from "../base/errors.ts";
import type { Adapter, DecodedCall, NativeAnswer } from "../ports/adapter.ts";
import type { Runtime } from "./runtime.ts";

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
/** How long the second copy of a call can come after the first. */
const rememberMs = 60_000;
const maxRemembered = 10_000;

export interface NativeCallsOptions {
  /** Told when a call came by an entry that is not a guard's though there is a guard for its event, and from where. */
  readonly onUnguarded?: (cwd: string) => void;
}

/** Answers agents' hook calls in their own words, each call once, however many files it comes in by. */
export class NativeCalls {
  readonly #runtime: Runtime;
  readonly #options: NativeCallsOptions;
  readonly #remembered = new Map<
    string,
    { readonly untilMs: number; readonly answer: Promise<NativeAnswer> }
  >();

  constructor(runtime: Runtime, options: NativeCallsOptions = {}) {
    this.#runtime = runtime;
    this.#options = options;
  }

  async answer(request: NativeRequest): Promise<NativeAnswer> {
    const payload = parse(request.input);
    const adapter = payload === null ? null : adapterFor({ payload, env: request.env }, request.agent);
    if (payload === null || adapter === null) return this.#refuse(request, payload);
    const call = adapter.decode({ payload, env: request.env });
    if (call.key === null) return this.#decide(adapter, call, request);
    return this.#once(call.key, () => this.#decide(adapter, call, request));
  }

  async #decide(adapter: Adapter, call: DecodedCall, request: NativeRequest): Promise<NativeAnswer> {
    const budgetMs = request.timeoutMs - marginMs;
    const answerByMs = request.timeoutMs > 0 ? performance.now() + Math.max(budgetMs, 1) : undefined;
    try {
      const origin = { ...call.origin, answerByMs };
      const outcome = await this.#runtime.emit(call.event, call.data, origin, undefined, (decided) =>
        degrade(adapter, decided, call),
      );
      if (this.#options.onUnguarded !== undefined) this.#isGuarded(call, request);
      return adapter.encode(outcome, call);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      return this.#isGuarded(call, request) ? adapter.refuse(error.message) : silence;
    }
  }

  /** By its entry, or by the hooks in force, which may have come after the entry. */
  #isGuarded({ event, origin }: DecodedCall, { isGuard }: NativeRequest): boolean {
    if (isGuard) return true;
    const project = this.#runtime.projectOrNull(origin.cwd);
    const isGuarded = project?.config.hooks.some((hook) => hook.event === event && hook.onFailure === "deny");
    if (project === null || isGuarded !== true) return false;
    this.#options.onUnguarded?.(project.cwd);
    return true;
  }

  /** What nobody can read, or nobody we know has sent. */
  #refuse(request: NativeRequest, payload: object | null): NativeAnswer {
    if (!request.isGuard) return silence;
    const what =
      payload === null ? "the input is not a JSON object" : `it was not ${request.agent} that called`;
    return {
      stdout: "",
      stderr: `swarm: denied, because this call could not be judged: ${what}\n`,
      exitCode: 2,
    };
  }

  #once(key: string, decide: () => Promise<NativeAnswer>): Promise<NativeAnswer> {
    const nowMs = performance.now();
    const known = this.#remembered.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.answer;
    const answer = decide();
    this.#remembered.set(key, { untilMs: nowMs + rememberMs, answer });
    for (const [old, { untilMs }] of this.#remembered) {
      if (untilMs > nowMs && this.#remembered.size <= maxRemembered) break;
      this.#remembered.delete(old);
    }
    return answer;
  }
}

const silence: NativeAnswer = { stdout: "", stderr: "", exitCode: 0 };

function parse(input: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
