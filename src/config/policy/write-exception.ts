import { addToList } from "../add-to-list.ts";

type Exception = Readonly<Record<string, unknown>>;

/** The text of the user's file with one exception more; null where it cannot be added by adding lines. */
export function withException(file: string, text: string, exception: Exception): string | null {
  return addToList(file, text, "policy_exceptions", linesOf(exception));
}

/** As lines for somebody who writes them by hand. */
export function exceptionLines(exception: Exception): string {
  return linesOf(exception)
    .map((line, at) => `  ${at === 0 ? "- " : "  "}${line}\n`)
    .join("");
}

function linesOf(exception: Exception): string[] {
  return Object.entries(exception).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}
