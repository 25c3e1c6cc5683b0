import { type EventName, rewritableFields, rowOf } from "./names.ts";

/** A row of the table of events as every surface shows it. */
export function describeEvent(event: EventName) {
  const { when, aliases, matches, verdicts, deny, payload } = rowOf(event);
  return {
    event,
    when,
    aliases,
    matches,
    rewrites: rewritableFields(rowOf(event)),
    verdicts: ["allow", "deny", ...verdicts],
    deny,
    fields: Object.entries(payload).map(([name, { type, isRequired, isNullable, values, doc }]) => ({
      name,
      type,
      is_required: isRequired === true,
      is_nullable: isNullable === true,
      values: values ?? null,
      doc,
    })),
  };
}
