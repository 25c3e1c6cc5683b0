import { visible } from "../../../base/visible.ts";
import { withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { confirm, yesFlag } from "../../../cli/confirm.ts";
import { json } from "../../../cli/json.ts";
import { exceptionLines } from "../../../config/policy/write-exception.ts";

export const policyAllowCommand: Command = {
  summary: "write the narrowest exception by which a refused call passes into config.yaml, for some days",
  positionals: ["RUN|COMMAND"],
  options: {
    reason: "TEXT  why; stands beside the exception and in the record",
    days: "N  how long it holds, default 7",
    until: "TIME  up to when it holds, as 2026-12-31T12:00:00Z",
  },
  flags: yesFlag,
  examples: [
    'swarm policy allow evt_0mwij678r86a4a07f3b84947db4aa --reason "history of my own branch"',
    'swarm policy allow "git push --force origin my-branch" --days 1 --reason "rebased" --yes',
  ],
  async run(input) {
    const { positionals, options, isJson } = input;
    const [written] = positionals;
    if (written === undefined) throw usage("policy allow", "a run or a command is missing");
    const { reason } = options;
    if (reason === undefined) throw usage("policy allow", "--reason is missing: why is it allowed?");
    const call = /^evt_[\w-]+$/.test(written) ? { run: written } : { command: written, cwd: process.cwd() };
    const body = { ...call, reason, ...untilOf(options) };
    const told = await withClient(async (client) => {
      const { file, exceptions } = await client.call("allowCall", { body: { ...body, trial: true } });
      const shown = `${visible(file)}\n${exceptions.map((each) => visible(exceptionLines(each))).join("")}`;
      if (!(await confirm("policy allow", input, `to be written into ${shown}`, "Write it?"))) return null;
      return client.call("allowCall", { body });
    });
    if (told === null) return "nothing was written\n";
    if (isJson) return json(told);
    const rules = told.exceptions.map(({ rule }) => rule).join(", ");
    const until = String(told.exceptions[0]?.until);
    return `${told.file}: an exception from ${rules} until ${until}; remove it there to end it before\n`;
  },
};

function untilOf({ days, until }: Readonly<Record<string, string | undefined>>): { until?: string } {
  if (days === undefined) return until === undefined ? {} : { until };
  if (until !== undefined) throw usage("policy allow", "--days and --until do not go together");
  if (!/^\d{1,4}$/.test(days) || Number(days) === 0)
    throw usage("policy allow", `--days is ${JSON.stringify(days)}, expected a whole number from 1`);
  return { until: new Date(Date.now() + Number(days) * 86_400_000).toISOString() };
}
