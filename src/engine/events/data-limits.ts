import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";

/**
 * Whether a field's value is JSON data of acceptable size and depth.
 *
 * One descent without bookkeeping: a cycle is found because it passes the depth limit (the descent goes down
 * before it goes sideways), and structures that share parts pay for each appearance, as their JSON would. Strings
 * cost their length without being read, so a megabyte of text costs no more than a word.
 */
export function isWithinLimits(value: unknown): boolean {
  return spend(limits.payloadChars, value, fieldDepth) >= 0;
}

/** The payload itself is the first level. */
const fieldDepth = limits.payloadDepth - 1;

/** What is left of `budget` characters after a field's value; negative when it does not fit or is not JSON. */
export function spendField(budget: number, value: unknown): number {
  return spend(budget, value, fieldDepth);
}

/** Strings are counted where they are found instead of by one more call: that is what makes small payloads cheap. */
function spend(budget: number, value: unknown, levelsLeft: number): number {
  if (typeof value === "string") return budget - value.length;
  if (typeof value === "object" && value !== null) {
    // A Buffer's indexes are its fields: 10 MB of them took seconds to list.
    if (levelsLeft === 0 || ArrayBuffer.isView(value)) return -1;
    return Array.isArray(value)
      ? spendItems(budget, value, levelsLeft)
      : spendFields(budget, value, levelsLeft);
  }
  return isJsonScalar(value) ? budget - 1 : -1;
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

function isJsonScalar(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "number" || typeof value === "boolean";
}

/** Why data is not within limits, and where: the same descent once more, this time with the way it came. */
export function explainUnfitData(event: string, root: string, value: unknown): SwarmError {
  const search: Search = { budget: limits.payloadChars, names: [root], above: [] };
  const levels = root === "data" ? limits.payloadDepth : fieldDepth;
  const found = findFault(search, value, levels);
  const path = search.names.join(".");
  if (found === "not JSON") {
    return new SwarmError("SWARM_PAYLOAD_NOT_JSON", { event, path, value: search.above.at(-1) });
  }
  if (found === "too deep") return cycleOf(event, search) ?? tooDeep(event, path);
  return new SwarmError("SWARM_PAYLOAD_TOO_LARGE", { event, field: path, limitChars: limits.payloadChars });
}

interface Search {
  budget: number;
  /** The way to the place that is looked at, and the values on it. */
  readonly names: string[];
  readonly above: unknown[];
}

function findFault(
  search: Search,
  value: unknown,
  levelsLeft: number,
): "not JSON" | "too deep" | "too large" | null {
  search.above.push(value);
  if (typeof value === "string") search.budget -= value.length;
  else if (typeof value === "object" && value !== null) {
    if (levelsLeft === 0) return "too deep";
    if (ArrayBuffer.isView(value)) return "not JSON";
    for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      search.names.push(String(name));
      search.budget -= typeof name === "number" ? 1 : name.length + 2;
      if (search.budget < 0) return "too large";
      const fault = findFault(search, (value as Record<string, unknown>)[name], levelsLeft - 1);
      if (fault !== null) return fault;
      search.names.pop();
    }
  } else if (isJsonScalar(value)) search.budget -= 1;
  else return "not JSON";
  if (search.budget < 0) return "too large";
  search.above.pop();
  return null;
}

/** The first place on a way that was there before. */
function cycleOf(event: string, { names, above }: Search): SwarmError | null {
  const again = above.findIndex((value, index) => above.indexOf(value) < index);
  if (again === -1) return null;
  const path = names.slice(0, again + 1).join(".");
  const target = names.slice(0, above.indexOf(above[again]) + 1).join(".");
  return new SwarmError("SWARM_PAYLOAD_CIRCULAR", { event, path, target });
}

function tooDeep(event: string, path: string): SwarmError {
  return new SwarmError("SWARM_PAYLOAD_TOO_DEEP", { event, path, limitDepth: limits.payloadDepth });
}
