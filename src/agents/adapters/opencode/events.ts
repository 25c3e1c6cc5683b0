import { type EventRow, rowsOf } from "../event-rows.ts";
import { isObject } from "../paths.ts";

/** There is one way to say no: our plugin throws. */
export type DenyForm = "throw";

export type OpencodeEvent = EventRow<DenyForm>;

/** Our plugin's own: OpenCode knows none. */
const row = rowsOf<DenyForm>(60);

/** What OpenCode 1.18.33 can be told, by the plugin we install. What comes from its bus is over when we hear of it. */
export const opencodeEvents: readonly OpencodeEvent[] = [
  row("tool.execute.before", {
    event: "tool.before",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "throw",
    rewrites: ["tool_input"],
  }),
  row("tool.execute.after", {
    event: "tool.after",
    verdicts: ["deny"],
    // The reason takes the place of the tool's result.
    deny: "feedback",
    denyForm: "throw",
    rewrites: ["tool_output"],
    takesContext: true,
  }),
  row("chat.message", {
    event: "prompt.submit",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "throw",
    rewrites: ["prompt"],
    takesContext: true,
  }),
  row("experimental.session.compacting", { event: "compaction.before", rewrites: ["preserve"] }),
  row("session.compacted", { event: "compaction.after" }),
  row("session.created", { event: "subagent.start", when: isOfSubagent }),
  row("session.created", { event: "session.start" }),
  row("session.idle", { event: "subagent.stop", when: isOfSubagent }),
  row("session.idle", { event: "turn.end" }),
  row("session.deleted", { event: "session.end" }),
];

/** A session that another one has started. */
function isOfSubagent({ parent_session, event }: Readonly<Record<string, unknown>>): boolean {
  if (typeof parent_session === "string") return true;
  const properties = isObject(event) && isObject(event.properties) ? event.properties : {};
  return isObject(properties.info) && typeof properties.info.parentID === "string";
}
