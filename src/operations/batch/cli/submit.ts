import { SwarmError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { type Client, withClient } from "../../../cli/client.ts";
import { type Command, type Output, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { untilSignalled } from "../../../cli/until-signalled.ts";
import { batchFields } from "../port/batch-run.ts";
import { followRun } from "./follow.ts";
import { batchOptions, batchQuery } from "./options.ts";
import { type BatchStatus, endText } from "./progress-text.ts";

const detach = { doc: "do not wait for its end; the daemon follows it" };

export const batchSubmitCommand: Command = {
  summary: "do something to every record of a file, each once, whatever happens meanwhile",
  positionals: [],
  options: batchOptions,
  flags: { detach, dedupe: { doc: batchFields.dedupe.doc } },
  examples: [
    'swarm batch submit --input transactions_20260415.jsonl --processor inference --config \'{"model_path": "models/fraud_v3.joblib"}\' --concurrency 8',
    "swarm batch submit --input records.jsonl.gz --processor echo --output ./out",
    'zcat *.gz | swarm batch submit --input - --processor custom --config \'{"function": "score.py:score"}\' --detach',
  ],
  async run({ options, flags, isJson }) {
    const query: Record<string, string> = {
      ...batchQuery({ options }),
      ...(flags.has("dedupe") && { dedupe: "true" }),
    };
    const run_id = options["run-id"] ?? newId("br");
    const isPiped = query.input === undefined;
    if (isPiped && process.stdin.isTTY === true) throw usage("batch submit", "--input - needs a pipe");
    const submit = (client: Client): Promise<BatchStatus> =>
      client.call("submitBatch", {
        params: { run_id },
        query: query as never,
        ...(isPiped && { stream: { header: () => undefined, body: process.stdin } }),
      });
    return begin(submit, flags.has("detach"), isJson);
  },
};

export const batchResumeCommand: Command = {
  summary: "go on with a run that failed, was cancelled or interrupted, from its last checkpoint",
  positionals: ["RUN_ID"],
  flags: { detach },
  examples: ["swarm batch resume br_0m5xk2v1q3c9d8", "swarm batch resume nightly --detach"],
  async run({ positionals: [run_id], flags, isJson }) {
    if (run_id === undefined) throw usage("batch resume", "the id of a run is missing");
    const resume = (client: Client) => client.call("resumeBatch", { params: { run_id } });
    return begin(resume, flags.has("detach"), isJson);
  },
};

/** Has a run begin, and follows it to its end unless it is to go on by itself. */
function begin(
  start: (client: Client) => Promise<BatchStatus>,
  isDetached: boolean,
  isJson: boolean,
): Promise<Output> {
  return withClient(async (client) => {
    if (isDetached && !client.isDaemon)
      throw new SwarmError("SWARM_BATCH_NOTHING_FOLLOWS", { option: "--detach" });
    const begun = await start(client);
    if (isDetached) return isJson ? json(begun) : `${begun.run_id} is ${begun.state}\n`;
    return untilOver(client, begun.run_id, isJson);
  });
}

/** Exit code 1 when it is not completed, 130 when we were told to stop. */
async function untilOver(client: Client, runId: string, isJson: boolean): Promise<Output> {
  const ended = await untilSignalled((signal) => followRun(client, runId, signal, isJson));
  if (ended === null) return { text: await leaving(client, runId), exitCode: 130 };
  const exitCode = ended.state === "completed" ? 0 : 1;
  return { text: isJson ? json(ended) : endText(ended), exitCode };
}

/** Without a daemon the run ends with us, at a checkpoint; one that has not begun keeps its question, and waits for whoever comes next. */
async function leaving(client: Client, runId: string): Promise<string> {
  if (client.isDaemon) return `${runId} goes on in the daemon; look at it with: swarm batch watch ${runId}\n`;
  const { state } = await client.call("batchStatus", { params: { run_id: runId } });
  return state === "waiting_approval"
    ? `${runId} has not begun and still waits for its approval (swarm approvals list); go on with: swarm batch resume ${runId}\n`
    : `${runId} stopped at a checkpoint; go on with: swarm batch resume ${runId}\n`;
}
