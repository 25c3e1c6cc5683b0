import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { visible } from "../../../base/visible.ts";
import { type Client, type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, type CommandInput, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { printError } from "../../../cli/print.ts";
import { isWanted, listTrustedFiles, trustFile } from "./trust-file.ts";
import { trustLines } from "./trust-lines.ts";

type Project = ResultOf<"showTrust">;

export const trustCommand: Command = {
  summary:
    "look at a project's hooks and approve them: until then they do not run, and its guards deny every tool",
  positionals: ["PATH"],
  options: {
    file: "PATH  a file that runs code when it is loaded, such as a model.joblib, instead of hooks",
  },
  flags: {
    files: { doc: "list the files that are approved" },
    show: { doc: "only show them, with all their files hold" },
    yes: { short: "y", doc: "approve them without being asked" },
    ignore: { doc: "leave this project's hooks out, and do not ask again" },
    revoke: { doc: "take back what was decided" },
  },
  examples: [
    "swarm trust",
    "swarm trust ../other --show",
    "swarm trust --yes",
    "swarm trust --ignore",
    "swarm trust --file models/fraud_v3.joblib",
  ],
  async run(input) {
    const [first, second] = input.flags;
    if (second !== undefined) throw usage("trust", `--${first} and --${second} do not go together`);
    if (input.options.file !== undefined) return trustFile(input, input.options.file);
    if (input.flags.has("files")) return listTrustedFiles(input);
    const cwd = folderOf(input.positionals[0]);
    const told = await withClient((client) => decide(client, cwd, input));
    return input.isJson ? json(told.project) : told.text;
  },
};

interface Told {
  readonly project: Project;
  readonly text: string;
}

async function decide(client: Client, cwd: string, { flags, isJson }: CommandInput): Promise<Told> {
  if (flags.has("ignore")) return ignored(await client.call("ignoreTrust", { body: { cwd } }));
  if (flags.has("revoke")) return revoked(await client.call("revokeTrust", { body: { cwd } }));
  const project = await client.call("showTrust", { query: { cwd } });
  const shown = trustLines(project, flags.has("show")).join("");
  if (flags.has("show") || (isJson && !flags.has("yes"))) return { project, text: shown };
  if (project.state === "trusted" && project.removed.length === 0)
    return { project, text: `${shown}approved already: there is nothing to decide\n` };
  // On stderr, so that it is seen before the question, and by whoever keeps the output.
  if (!isJson) printError(shown);
  const isRemoval = project.hooks.length === 0;
  const question = isRemoval ? "Accept that they are gone?" : "Approve them, as they are now?";
  if (!flags.has("yes") && !(await isWanted(question)))
    return { project, text: "nothing was decided; swarm trust --ignore leaves them out for good\n" };
  const decided = await client.call("approveTrust", { body: { cwd, digest: project.digest } });
  return isRemoval ? accepted(project, decided) : approved(decided);
}

function accepted({ file, removed }: Project, project: Project): Told {
  const names = removed.map(({ name }) => visible(name)).join(", ") || "what was approved";
  return { project, text: `accepted: ${names} of ${file} no longer runs, and nothing is denied for it\n` };
}

function approved(project: Project): Told {
  const text = `approved: ${counted(project)} run from now on, as shown; one that changes asks again\n`;
  return { project, text };
}

function ignored(project: Project): Told {
  return { project, text: `ignored: ${counted(project)} do not run, and nothing is denied for it\n` };
}

function revoked(project: Project): Told {
  const hasGuards = project.hooks.some(({ is_guard }) => is_guard);
  const denied = hasGuards ? "; among them are guards: every tool is denied there" : "";
  return { project, text: `revoked: ${counted(project)} do not run until they are approved${denied}\n` };
}

function counted({ hooks, file }: Project): string {
  return `${hooks.length} ${hooks.length === 1 ? "hook" : "hooks"} of ${file}`;
}

function folderOf(written = "."): string {
  const path = resolve(written);
  if (!existsSync(path)) throw usage("trust", `there is no ${JSON.stringify(written)}`);
  return statSync(path).isDirectory() ? path : dirname(path);
}
