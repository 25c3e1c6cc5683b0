import { limits } from "../../base/limits.ts";
import type { Mode } from "../events/outcome.ts";
import type { ToolReading } from "../events/tool-names.ts";
import type { Hook } from "./definition.ts";
import { mayMatchTool } from "./match-tool.ts";

/** The hooks that answer to one event with one matcher value, by mode, each in the order they run. */
export interface Plan {
  /** Those with a say: the transforms, then the guards. */
  readonly deciders: readonly Hook[];
  readonly observers: readonly Hook[];
  readonly isEmpty: boolean;
  /** The one in its place for a call whose arguments hold a command; null: the same one. */
  readonly ifCommand: Plan | null;
}

/** `hooks` must be in running order. A plan never changes: an event under way keeps the one it started with. */
export function makePlan(
  hooks: readonly Hook[],
  value: string | undefined,
  readings: readonly ToolReading[] = [],
): Plan {
  const matching = hooks.filter(({ matcher, matchesOwnNamesOnly }) => {
    if (matcher.isAlways) return true;
    if (value !== undefined && matcher.test(value)) return true;
    return !matchesOwnNamesOnly && readings.some((reading) => mayMatchTool(matcher, reading));
  });
  const inMode = (mode: Mode) => matching.filter((hook) => hook.mode === mode);
  return {
    deciders: [...inMode("transform"), ...inMode("guard")],
    observers: inMode("observe"),
    isEmpty: matching.length === 0,
    ifCommand: null,
  };
}

/** Descending priority; first registered first among equals. */
export function runsBefore(a: Hook, b: Hook): boolean {
  return a.priority === b.priority ? a.sequence < b.sequence : a.priority > b.priority;
}

/**
 * Plans by matcher value, in two generations: when the young one is full it becomes the old one, and values still
 * in use move back. A caller that invents names costs memory for 1,024 plans at most and never evicts the real ones
 * for long.
 */
export class PlanCache {
  #young = new Map<string | undefined, Plan>();
  #old = new Map<string | undefined, Plan>();

  get(value: string | undefined): Plan | undefined {
    return this.#young.get(value) ?? this.#promote(value);
  }

  set(value: string | undefined, plan: Plan): void {
    if (value !== undefined && value.length > limits.cachedNameChars) return;
    if (this.#young.size >= limits.cachedPlans) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(value, plan);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #promote(value: string | undefined): Plan | undefined {
    const plan = this.#old.get(value);
    if (plan !== undefined) {
      this.#old.delete(value);
      this.set(value, plan);
    }
    return plan;
  }
}
