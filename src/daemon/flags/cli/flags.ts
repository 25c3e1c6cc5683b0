import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";

type Flag = ResultOf<"setFlag">;

export const flagsListCommand: Command = {
  summary: "list the flags, what each is and whose word that is",
  positionals: [],
  examples: ["swarm flags list", "swarm flags list --json"],
  async run({ isJson }) {
    const { items } = await withClient((client) => client.call("listFlags"));
    if (isJson) return json(items);
    const rows = items.map((flag) => [flag.name, onOff(flag.value), whoseWord(flag), flag.doc]);
    return table(["FLAG", "IS", "BY", "MEANS"], rows);
  },
};

export const flagsSetCommand: Command = {
  summary: "turn a flag on or off, over what files and the environment say; from the next event on",
  positionals: ["NAME", "VALUE"],
  examples: ["swarm flags set hooks_enabled off", "swarm flags set metrics on --json"],
  async run({ positionals: [name, written], isJson }) {
    if (name === undefined) throw usage("flags set", "the name of a flag is missing");
    const value = isOnBy(written);
    const set = await withClient((client) => client.call("setFlag", { params: { name }, body: { value } }));
    return isJson ? json(set) : line(set);
  },
};

export const flagsUnsetCommand: Command = {
  summary: "leave a flag to what files and the environment say again",
  positionals: ["NAME"],
  examples: ["swarm flags unset hooks_enabled"],
  async run({ positionals: [name], isJson }) {
    if (name === undefined) throw usage("flags unset", "the name of a flag is missing");
    const unset = await withClient((client) => client.call("unsetFlag", { params: { name } }));
    return isJson ? json(unset) : line(unset);
  },
};

function line(flag: Flag): string {
  return `${flag.name} is ${onOff(flag.value)}, by ${whoseWord(flag)}\n`;
}

function onOff(value: boolean): string {
  return value ? "on" : "off";
}

function whoseWord({ name, from, set_by, set_at }: Flag): string {
  if (from === "override") return `${set_by}, ${set_at}`;
  if (from === "environment") return `SWARM_FLAG_${name.toUpperCase()}`;
  return from === "config" ? "config.yaml" : "default";
}

function isOnBy(written: string | undefined): boolean {
  if (written === "on" || written === "true") return true;
  if (written === "off" || written === "false") return false;
  throw usage(
    "flags set",
    written === undefined
      ? "on or off is missing"
      : `the value is ${JSON.stringify(written)}, expected on or off`,
  );
}
