import { oneLine } from "../../base/show.ts";
import { withClient } from "../client.ts";
import { type Command, usage } from "../command.ts";
import { json } from "../json.ts";
import { verdictText } from "../style.ts";
import { handlerTable } from "./handler-table.ts";

export const hooksExplainCommand: Command = {
  summary: "show what was decided in a recorded run, and what each hook did",
  positionals: ["RUN_ID"],
  examples: ["swarm hooks explain evt_0mwicqnu5cdb270a98b058d3596f4"],
  async run({ positionals: [id], isJson }) {
    if (id === undefined) throw usage("hooks explain", "a run id is missing");
    const found = await withClient((client) => client.call("showEvent", { params: { id } }));
    if (isJson) return json(found);
    const { event, time, verdict, reason, hook, handlers, actor, data_before, data_after } = found;
    return [
      `${time} ${oneLine(event)}: ${verdictText(verdict)}${hook === null ? "" : ` by ${oneLine(hook)}`}, for ${oneLine(actor)}`,
      ...(reason === null ? [] : [`reason: ${oneLine(reason)}`]),
      ...(data_before === null ? [] : [`data: ${oneLine(JSON.stringify(data_before))}`]),
      ...(data_after === null ? [] : [`rewritten: ${oneLine(JSON.stringify(data_after))}`]),
      "",
      handlerTable(handlers),
    ].join("\n");
  },
};
