import { SwarmError } from "../base/errors.ts";
import { limits } from "../base/limits.ts";

/**
 * Whether a value is JSON data of acceptable size and depth.
 *
 * One descent without bookkeeping: a cycle is found because it passes the depth limit (the descent goes down
 * before it goes sideways), and structures that share parts pay for each appearance, as their JSON would. Strings
 * cost their length without being read, so a megabyte of text costs no more than a word.
 */
export function isWithinLimits(value: unknown): boolean {
  return spend(limits.payloadChars, value, limits.payloadDepth) >= 0;
}

/**
 * What is left of `budget` characters after `value`; negative when it does not fit or is not JSON. Strings are
 * counted where they are found instead of by one more call, which is what makes small payloads cheap.
 */
export function spend(budget: number, value: unknown, levelsLeft: number): number {
  if (typeof value === "string") return budget - value.length;
  if (typeof value === "object" && value !== null) {
    if (levelsLeft === 0) return -1;
    return Array.isArray(value)
      ? spendItems(budget, value, levelsLeft)
      : spendFields(budget, value, levelsLeft);
  }
  const isJson =
    value === null || value === undefined || typeof value === "number" || typeof value === "boolean";
  return isJson ? budget - 1 : -1;
}

function spendFields(budget: number, value: object, levelsLeft: number): number {
  for (const name in value) {
    const part = (value as Record<string, unknown>)[name];
    budget -= name.length + 2;
    if (typeof part === "string") budget -= part.length;
    else budget = spend(budget, part, levelsLeft - 1);
    if (budget < 0) return budget;
  }
  return budget;
}

function spendItems(budget: number, items: readonly unknown[], levelsLeft: number): number {
  for (let index = 0; index < items.length; index++) {
    budget = spend(budget - 1, items[index], levelsLeft - 1);
    if (budget < 0) return budget;
  }
  return budget;
}

/**
 * Why `isWithinLimits(value)` is false, and where: follows the first part that does not fit by itself. Each level
 * looks at its parts once more, so refusing costs about twice what accepting does, whatever the value's shape.
 */
export function explainUnfitData(event: string, path: string, value: unknown): SwarmError {
  const above = new Map<unknown, string>();
  for (let levelsLeft: number = limits.payloadDepth; ; levelsLeft--) {
    if (typeof value !== "object" || value === null) {
      if (typeof value === "string") break;
      return new SwarmError("SWARM_PAYLOAD_NOT_JSON", { event, path, value });
    }
    const target = above.get(value);
    if (target !== undefined) return new SwarmError("SWARM_PAYLOAD_CIRCULAR", { event, path, target });
    if (levelsLeft === 0) {
      const start = `${path.slice(0, 60)}…`;
      return new SwarmError("SWARM_PAYLOAD_TOO_DEEP", {
        event,
        path: start,
        limitDepth: limits.payloadDepth,
      });
    }
    above.set(value, path);
    const part = firstUnfitPart(value, levelsLeft - 1);
    if (part === undefined) break;
    path = `${path}.${part}`;
    value = (value as Record<string, unknown>)[part];
  }
  return new SwarmError("SWARM_PAYLOAD_TOO_LARGE", { event, field: path, limitChars: limits.payloadChars });
}

function firstUnfitPart(value: object, levelsLeft: number): string | undefined {
  for (const name in value) {
    if (spend(limits.payloadChars, (value as Record<string, unknown>)[name], levelsLeft) < 0) return name;
  }
  return undefined;
}
