import { existsSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readIfThere } from "../../../base/private-file.ts";
import { replaceFile } from "../../../base/replace-file.ts";
import { oneLine } from "../../../base/show.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";
import { confirm } from "../../../cli/confirm.ts";
import { stopDaemon } from "../../../cli/detach.ts";
import { withClient } from "../../../cli/client.ts";
import { forgetConfigEdit, readConfigEdit } from "../../../cli/init/init-note.ts";
import { stopService } from "../../../cli/init/service-step.ts";
import { tilde } from "../../../cli/init/step.ts";
import { json } from "../../../cli/json.ts";
import { serviceFile } from "../../../cli/service.ts";
import { style } from "../../../cli/style.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { adapters } from "../../adapters/index.ts";
import { planRestore } from "../install.ts";
import { Installations } from "../installations.ts";
import { isChange } from "./ask.ts";
import { agentNames } from "../../port/agents.ts";
import { planServerRemoval } from "../servers.ts";
import { removeServers, restoreAll } from "./run-uninstall.ts";

/** One thing that is undone: what it changes, and how. */
interface Undo {
  readonly plan: string;
  run(): Promise<void> | void;
}

/** What `swarm init` and `swarm install` have done, in every folder, is undone; the record stays. */
export async function uninstallAll(input: CommandInput): Promise<string> {
  if (input.positionals.length > 0) throw usage("uninstall", "--all takes no agent: it is all of them");
  const home = swarmHome();
  const isPersonNeeded = await isPersonRequired(home);
  const undos = [
    ...settingsUndos(home),
    ...serverUndos(home),
    ...configUndo(home),
    ...serviceUndo(),
    daemonUndo,
  ];
  const plan = undos.map(({ plan: line }) => `  ${oneLine(line)}\n`).join("");
  if (!(await confirm("uninstall", input, `${plan}\n`, "Undo all of it?"))) return "nothing was changed\n";
  for (const { run } of undos) await run();
  if (input.isJson)
    return json({
      undone: undos.map(({ plan: line }) => line),
      kept: home,
      is_person_required: isPersonNeeded,
    });
  const kept = `the record and your configuration stay in ${tilde(home)}; rm -r removes them, too`;
  const person = isPersonNeeded ? `${personText}\n` : "";
  return `${plan}${style("bold", "no agent is guarded any more")}; ${kept}\n${person}`;
}

/** The record has it from the first time the configuration said so: a line that is gone ends nothing. */
const personText =
  "the record goes on requiring a person's key for approvals; swarm approvals require any ends that, signed by one";

/** By the record, and not by the configuration that is undone here. A home that has none is not given one. */
async function isPersonRequired(home: string): Promise<boolean> {
  if (!existsSync(join(home, "swarm.db"))) return false;
  const { require } = await withClient((client) => client.call("listApprovers"));
  return require === "person";
}

function settingsUndos(home: string): Undo[] {
  return new Installations(home).list().map(({ agent, scope, file }) => ({
    plan: `${agent}: our hooks go out of ${tilde(file)}`,
    async run() {
      const change = planRestore(adapters[agent], scope, file, home);
      if (isChange(change)) return restoreAll([change], home);
      // The file is gone, or somebody has taken our entries out of it: there is nothing to undo any more.
      const installations = new Installations(home);
      const known = installations.find(file);
      if (known !== null) installations.forget(known);
    },
  }));
}

function serverUndos(home: string): Undo[] {
  const folders = { home: homedir(), project: process.cwd(), env: process.env };
  return planServerRemoval(agentNames, folders).map((change) => ({
    plan: `${change.agent}: our MCP server goes out of ${tilde(change.file)}`,
    run: () => removeServers([change], home),
  }));
}

function configUndo(home: string): Undo[] {
  const edit = readConfigEdit(home);
  if (edit === null) return [];
  const { file, before, after } = edit;
  if (readIfThere(file) !== after) {
    return [
      {
        plan: `${tilde(file)} was edited since swarm init: it stays as it is`,
        run: () => forgetConfigEdit(home),
      },
    ];
  }
  const plan =
    before === null
      ? `${tilde(file)} is removed: swarm init made it`
      : `${tilde(file)} is as it was before swarm init`;
  const run = (): void => {
    if (before === null) rmSync(file);
    else replaceFile(file, before);
    forgetConfigEdit(home);
  };
  return [{ plan, run }];
}

function serviceUndo(): Undo[] {
  const file = serviceFile();
  if (readIfThere(file) === null) return [];
  return [
    {
      plan: `the service ends and ${tilde(file)} is removed`,
      run() {
        stopService();
        rmSync(file, { force: true });
      },
    },
  ];
}

const daemonUndo: Undo = {
  plan: "the daemon ends",
  run: async () => void (await stopDaemon()),
};
