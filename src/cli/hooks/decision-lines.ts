import { oneLine } from "../../base/show.ts";
import type { Decision } from "../../engine/events/decision.ts";
import { verdictText } from "../style.ts";

/** What was decided, one line for each thing that was said. */
export function decisionLines(event: string, { verdict, hook, reason, context, stop }: Decision): string[] {
  return [
    `${oneLine(event)}: ${verdictText(verdict)}${hook === null ? "" : ` by ${oneLine(hook)}`}`,
    ...(reason === null ? [] : [`reason: ${oneLine(reason)}`]),
    ...context.map((text) => `context: ${oneLine(text)}`),
    ...(stop === null ? [] : [`stop: ${oneLine(stop)}`]),
  ];
}
