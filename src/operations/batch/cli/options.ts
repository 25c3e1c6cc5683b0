import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseJson } from "../../../base/parse-json.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";

/** Options of the command line for what a run says; what each may be is checked where the run is made. */
export const batchOptions = {
  input: "FILE  the records, one JSON object a line, plain or gzip; - for standard input",
  processor: "NAME  what is done to each: echo, custom, command or inference",
  config: "JSON  what the processor needs to know; @FILE reads it from a file",
  concurrency: "N  workers at once; default the cores, at most 4",
  order: "ORDER  results in the order of the records (record, default) or as they come (completion)",
  output: "FOLDER  where results.jsonl and the rest go; default batch/RUN_ID in SWARM_HOME",
  "id-field": "FIELD  names a record; default record_id, else the number of its line",
  "max-errors": "N  more failed records than this end the run; default none does",
  "record-timeout": "SECONDS  a record that takes longer fails; default 30",
  "checkpoint-records": "N  a checkpoint after so many records; default 10",
  "checkpoint-ms": "N  but not sooner than this after the last, in milliseconds; default 100",
  "chunk-records": "N  records a worker is given at once; default found while it runs",
  name: "NAME  what hooks and rules know it by; default its id",
  "run-id": "ID  letters, digits, _ and -, at most 64; default a new one",
  cwd: "FOLDER  whose hooks and rules see it, and where relative paths start; default this one",
};

const wholeNumbers = ["concurrency", "max-errors", "checkpoint-records", "checkpoint-ms", "chunk-records"];
const paths = ["output", "cwd"];

/** What was given, as the operation takes it: as parameters of an address. */
export function batchQuery({ options }: Pick<CommandInput, "options">): Record<string, string> {
  const command = "batch submit";
  const { input, processor } = options;
  if (input === undefined) throw usage(command, "--input is missing: a file, or - for standard input");
  if (processor === undefined) throw usage(command, "--processor is missing");
  const query: Record<string, string> = { cwd: process.cwd() };
  if (input !== "-") query.input = resolve(input);
  for (const [option, written] of Object.entries(options)) {
    if (written === undefined || option === "input" || option === "run-id") continue;
    if (wholeNumbers.includes(option)) query[option.replaceAll("-", "_")] = whole(command, option, written);
    else if (option === "record-timeout") query.record_timeout_s = whole(command, option, written);
    else if (option === "config") query.config = configText(command, written);
    else if (paths.includes(option)) query[option] = resolve(written);
    else query[option.replaceAll("-", "_")] = written;
  }
  return query;
}

function whole(command: string, option: string, written: string): string {
  if (/^\d{1,10}$/.test(written)) return written;
  throw usage(command, `--${option} is ${JSON.stringify(written)}, expected a whole number`);
}

function configText(command: string, written: string): string {
  try {
    const text = written.startsWith("@") ? readFileSync(written.slice(1), "utf8") : written;
    return JSON.stringify(parseJson(text));
  } catch (error) {
    throw usage(command, `--config is not JSON: ${(error as Error).message}`);
  }
}
