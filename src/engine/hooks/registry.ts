import { SwarmError } from "../../base/swarm-error.ts";
import type { Origin } from "../events/envelope.ts";
import { canonicalByName, type EventName, eventNames, rowOf } from "../events/names.ts";
import { modes } from "../events/outcome.ts";
import { keyOfNames, readToolName, shell, type ToolNames, takesCommand } from "../events/tool-names.ts";
import { checkOf, checkPayload, type PayloadCheck } from "../events/validate.ts";
import type { Hook } from "./definition.ts";
import { type RewriteRules, rewriteRulesOf } from "./merge.ts";
import { makePlan, type Plan, PlanCache, runsBefore } from "./plan.ts";

/** The hooks of one event, and everything about the event that dispatch needs, looked up once. */
export class EventHooks {
  readonly event: EventName;
  readonly check: PayloadCheck;
  readonly rewriteRules: RewriteRules;
  readonly verdicts: ReadonlySet<string>;
  readonly #matches: string | null;
  readonly #hooks: Hook[] = [];
  #plans = new PlanCache();
  /** For calls whose adapter has read the tool's name: two agents may mean different tools by one. */
  #plansOfNames = new PlanCache();

  constructor(event: EventName) {
    const row = rowOf(event);
    this.event = event;
    this.check = checkOf(event);
    this.rewriteRules = rewriteRulesOf(event);
    this.verdicts = new Set(["none", "allow", "deny", ...row.verdicts]);
    this.#matches = row.matches;
  }

  get hooks(): readonly Hook[] {
    return this.#hooks;
  }

  /** The plan for a payload: one map lookup when the value was seen before. */
  planFor(data: Readonly<Record<string, unknown>>, origin: Origin | undefined): Plan {
    const value = this.#matches === null ? undefined : (data[this.#matches] as string | undefined);
    const names = origin?.toolNames;
    const plan =
      names === undefined
        ? (this.#plans.get(value) ?? this.#plan(value, data))
        : this.#planOfNames(value, names, data);
    return plan.ifCommand === null || !takesCommand(data.tool_input) ? plan : plan.ifCommand;
  }

  add(hook: Hook): void {
    this.#hooks.splice(this.#placeOf(hook), 0, hook);
    this.#forgetPlans();
  }

  remove(hook: Hook): void {
    hook.isActive = false;
    this.#hooks.splice(this.#hooks.indexOf(hook), 1);
    this.#forgetPlans();
  }

  #forgetPlans(): void {
    this.#plans = new PlanCache();
    this.#plansOfNames = new PlanCache();
  }

  /** Where a new hook runs, by halving: sorting anew on each registration made 10,000 of them take seconds. */
  #placeOf(hook: Hook): number {
    let low = 0;
    let high = this.#hooks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#hooks[middle];
      if (other !== undefined && runsBefore(hook, other)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #plan(value: string | undefined, data: unknown): Plan {
    // Without a name to match, hooks for particular names are not asked. Where the event requires one, as every tool
    // event does, nothing may get by like that.
    if (typeof value !== "string") checkPayload(this.check, data);
    const isTool = this.#matches === "tool_name" && value !== undefined;
    const plan = isTool ? this.#toolPlan(value, readToolName(value)) : makePlan(this.#hooks, value);
    this.#plans.set(value, plan);
    return plan;
  }

  #planOfNames(value: string | undefined, names: ToolNames, data: unknown): Plan {
    if (this.#matches !== "tool_name" || typeof value !== "string") return this.#plan(value, data);
    const key = `${names.isBuiltIn} ${keyOfNames(value, names.readings)}`;
    let plan = this.#plansOfNames.get(key);
    if (plan === undefined) {
      plan = this.#toolPlan(value, names);
      this.#plansOfNames.set(key, plan);
    }
    return plan;
  }

  /** One matcher for every agent's tools: `shell` is Claude Code's Bash and Gemini's run_shell_command. */
  #toolPlan(value: string, names: ToolNames): Plan {
    const { readings, isBuiltIn } = names;
    const plan = makePlan(this.#hooks, value, readings);
    const forShell = this.#hooks.filter(({ isForShell, matcher }) => isForShell && !matcher.isAlways);
    if (isBuiltIn || forShell.length === 0) return plan;
    const known = new Set([...plan.deciders, ...plan.observers]);
    if (forShell.every((hook) => known.has(hook))) return plan;
    return { ...plan, ifCommand: makePlan(this.#hooks, value, [...readings, shell]) };
  }
}

export class Registry {
  /** Made when first asked for. */
  readonly #events = new Map<EventName, EventHooks>();
  /** Aliases lead straight to the same hooks, so that they cost nothing when an event is emitted. */
  readonly #byAnyName = new Map<string, EventHooks>();
  readonly #eventsByHookName = new Map<string, EventName>();

  find(written: string): EventHooks | undefined {
    return this.#byAnyName.get(written) ?? this.#findFirst(written);
  }

  ofEvent(event: EventName): EventHooks {
    let hooks = this.#events.get(event);
    if (hooks === undefined) {
      hooks = new EventHooks(event);
      this.#events.set(event, hooks);
    }
    return hooks;
  }

  #findFirst(written: string): EventHooks | undefined {
    const event = canonicalByName.get(written);
    if (event === undefined) return undefined;
    const hooks = this.ofEvent(event);
    this.#byAnyName.set(written, hooks);
    return hooks;
  }

  /** Adds a hook and returns how to remove it again; removing twice does nothing. */
  add(hook: Hook): () => void {
    const event = this.#eventsByHookName.get(hook.name);
    if (event !== undefined) throw new SwarmError("SWARM_HOOK_NAME_TAKEN", { name: hook.name, event });
    this.#eventsByHookName.set(hook.name, hook.event);
    this.ofEvent(hook.event).add(hook);
    return () => {
      if (!hook.isActive) return;
      this.#eventsByHookName.delete(hook.name);
      this.ofEvent(hook.event).remove(hook);
    };
  }

  isNameTaken(name: string): boolean {
    return this.#eventsByHookName.has(name);
  }

  /** By event, in the order they run. */
  list(): Hook[] {
    return eventNames.flatMap((event) => {
      const hooks = this.#events.get(event)?.hooks ?? [];
      return modes.flatMap((mode) => hooks.filter((hook) => hook.mode === mode));
    });
  }
}
