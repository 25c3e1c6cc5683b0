import { type CommandInput, usage } from "../../../cli/command.ts";
import { readSettingOptions, settingOptions } from "../../../cli/setting-options.ts";
import { batchFields } from "../port/batch-run.ts";

export const batchOptions = {
  ...settingOptions(batchFields, { cwd: "this one" }),
  input: "FILE  the records, one JSON object a line, plain or gzip; - for standard input",
  "run-id": "ID  letters, digits, _ and -, at most 64; default a new one",
};

/** What was given, as the operation takes it: as parameters of an address. */
export function batchQuery({ options }: Pick<CommandInput, "options">): Record<string, string> {
  const command = "batch submit";
  const { input, processor } = options;
  if (input === undefined) throw usage(command, "--input is missing: a file, or - for standard input");
  if (processor === undefined) throw usage(command, "--processor is missing");
  const file = input === "-" ? undefined : input;
  const { config, ...settings } = readSettingOptions(command, batchFields, { ...options, input: file });
  const query = Object.entries(settings).map(([name, value]) => [name, String(value)]);
  return {
    cwd: process.cwd(),
    ...Object.fromEntries(query),
    ...(config !== undefined && { config: JSON.stringify(config) }),
  };
}
