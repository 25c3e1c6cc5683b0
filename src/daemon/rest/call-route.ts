import { checkRole } from "./check-role.ts";
import { type RawInput, readInput } from "./read-input.ts";
import type { Context, Route, StreamedRequest } from "./route.ts";

/**
 * An operation's answer to who does not call it over REST. Through JSON as over the wire: what still changes here, as an
 * observer's record does, changes no answer.
 */
export async function callRoute(
  context: Context,
  route: Route,
  raw: RawInput,
  more: { readonly stream?: StreamedRequest } = {},
): Promise<unknown> {
  checkRole(context.caller, route);
  const answer = await route.handle(context, { ...readInput(route, raw), ...more });
  return JSON.parse(JSON.stringify(answer)) as unknown;
}
