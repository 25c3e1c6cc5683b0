import type { Origin } from "../events/envelope.ts";
import { Outcome } from "../events/outcome.ts";
import { checkPayload } from "../events/validate.ts";
import type { Engine } from "./engine.ts";
import type { Data } from "./merge.ts";
import type { EventHooks } from "./registry.ts";
import { runPlan } from "./run.ts";

/**
 * Asks the registry for the event's plan and runs it. A value when every handler answered at once, else a promise.
 * A payload that no handler will see is not looked at.
 */
export function dispatch(
  engine: Engine,
  hooks: EventHooks,
  data: Data,
  origin: Origin | undefined,
): Outcome | Promise<Outcome> {
  if (hooks.hooks.length === 0) return new Outcome(hooks.event, data as Outcome["data"]);
  const plan = hooks.planFor(data, origin);
  if (plan.isEmpty) return new Outcome(hooks.event, data as Outcome["data"]);
  if (engine.isValidating) checkPayload(hooks.check, data);
  return runPlan(engine, hooks, plan, data, origin);
}
