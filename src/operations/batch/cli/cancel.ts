import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { endText, isOver } from "./progress-text.ts";

export const batchCancelCommand: Command = {
  summary: "end a batch run at a checkpoint; what is durable stays",
  positionals: ["RUN_ID"],
  flags: {
    purge: { doc: "forget a run that is over instead, and remove its files; an input of your own stays" },
  },
  examples: ["swarm batch cancel nightly", "swarm batch cancel nightly --purge"],
  async run({ positionals: [run_id], flags, isJson }) {
    if (run_id === undefined) throw usage("batch cancel", "the id of a run is missing");
    const purge = flags.has("purge");
    const run = await withClient((client) => {
      return client.call("cancelBatch", { params: { run_id }, query: { ...(purge && { purge }) } });
    });
    if (isJson) return json(run);
    if (purge) return `${run.run_id} is forgotten\n`;
    return isOver(run) ? endText(run) : `${run.run_id} was told to stop\n`;
  },
};
