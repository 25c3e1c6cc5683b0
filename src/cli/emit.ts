import { readFileSync } from "node:fs";
import { parseJson } from "../base/parse-json.ts";
import type { Decision } from "../engine/events/decision.ts";
import type { HandlerRecord } from "../engine/events/outcome.ts";
import type { JsonObject } from "../engine/events/schema.ts";
import { withClient } from "./client.ts";
import { type Command, usage } from "./command.ts";
import { decisionLines } from "./hooks/decision-lines.ts";
import { json } from "./json.ts";
import { queuedLines } from "./queued-lines.ts";

export const emitCommand: Command = {
  summary: "send an event, have its hooks decide it, and print the decision",
  positionals: ["EVENT"],
  options: {
    data: "JSON  the payload; - reads it from stdin, @FILE from a file",
    session: "ID  the session it belongs to",
    agent: "ID  the agent it comes from",
    task: "ID  the task it belongs to",
    cwd: "FOLDER  the folder it comes from, default this one",
    source: "NAME  what sends it, default cli",
    wait: "SECONDS  how long to wait for a person where one is to be asked, default 0",
  },
  flags: {
    "fail-on-deny": { doc: "end with exit code 2 when it is denied, or waits for somebody's decision" },
  },
  examples: [
    'swarm emit task.created --data \'{"task_id": "t1", "role": "coder", "goal": "write the docs"}\'',
    "swarm emit tool.before --data @payload.json --wait 600 --fail-on-deny && ./run-the-tool",
  ],
  async run({ positionals: [event], options, flags, isJson }) {
    if (event === undefined) throw usage("emit", "an event is missing");
    const { data: written = "{}", cwd = process.cwd(), source = "cli", session, agent, task } = options;
    const from = given({ session, agent, task });
    const wait_s = options.wait === undefined ? {} : { wait_s: seconds(options.wait) };
    const body = { event, data: payload(written), cwd, source, ...from, ...wait_s };
    const [outcome, queued] = await withClient(async (client) => {
      const outcome = await client.call("emitEvent", { body });
      return [outcome, queuedLines(outcome.handlers as HandlerRecord[], client.isDaemon)] as const;
    });
    const decision = outcome.decision as Decision;
    const lines = [...decisionLines(String(outcome.event), decision), ...queued, `run: ${outcome.id}`, ""];
    const text = isJson ? json(outcome) : lines.join("\n");
    const mayGoAhead = decision.verdict === "none" || decision.verdict === "allow";
    return { text, exitCode: !mayGoAhead && flags.has("fail-on-deny") ? 2 : 0 };
  },
};

function seconds(written: string): number {
  if (/^\d+(\.\d+)?$/.test(written)) return Number(written);
  throw usage("emit", `--wait is ${JSON.stringify(written)}, expected a number of seconds`);
}

function payload(written: string): JsonObject {
  try {
    const text =
      written === "-"
        ? readFileSync(0, "utf8")
        : written.startsWith("@")
          ? readFileSync(written.slice(1), "utf8")
          : written;
    const value: unknown = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (error) {
    throw usage("emit", `--data cannot be read: ${(error as Error).message}`);
  }
  throw usage("emit", "--data is not a JSON object");
}

function given(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
