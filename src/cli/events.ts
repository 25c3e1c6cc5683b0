import { describeEvent } from "../engine/events/describe-event.ts";
import { canonicalName, type EventName, eventNames, rowOf } from "../engine/events/names.ts";
import type { Command } from "./command.ts";
import { json } from "./json.ts";
import { table } from "./table.ts";

export const eventsCommand: Command = {
  summary: "list the events, or show one",
  positionals: ["EVENT"],
  examples: ["swarm events", "swarm events PreToolUse", "swarm events tool.before --json"],
  run({ positionals: [written], isJson }) {
    if (written !== undefined) return showEvent(canonicalName(written), isJson);
    return isJson ? json(eventNames.map(describeEvent)) : listEvents();
  },
};

function listEvents(): string {
  const rows = eventNames.map((event) => {
    const { aliases, matches, deny } = rowOf(event);
    return [event, aliases.join(" "), matches ?? "-", deny.replaceAll("`", "")];
  });
  return table(["EVENT", "ALSO WRITTEN AS", "MATCHER READS", "DENY MEANS"], rows);
}

function showEvent(event: EventName, isJson: boolean): string {
  const description = describeEvent(event);
  if (isJson) return json(description);
  const { when, aliases, matches, rewrites, verdicts, deny, fields } = description;
  const rows = fields.map(({ name, type, is_required, doc }) => [
    name,
    `${type}${is_required ? " (required)" : ""}`,
    doc.replaceAll("`", ""),
  ]);
  return [
    `${event}: fires when ${when}`,
    "",
    `also written as  ${aliases.join(", ") || "-"}`,
    `matcher reads    ${matches ?? "-"}`,
    `may be rewritten ${rewrites.join(", ")}`,
    `verdicts         ${verdicts.join(", ")}`,
    `deny means       ${deny.replaceAll("`", "")}`,
    "",
    table(["FIELD", "TYPE", ""], rows),
  ].join("\n");
}
