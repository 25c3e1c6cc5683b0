import { oneLine } from "../../../base/show.ts";
import { findPluginFolder } from "../find-folder.ts";
import { type ResultOf, withClient } from "../../../cli/client.ts";
import { type Command, usage } from "../../../cli/command.ts";
import { confirm, yesFlag } from "../../../cli/confirm.ts";
import { json } from "../../../cli/json.ts";
import { printError } from "../../../cli/print.ts";
import { style } from "../../../cli/style.ts";

type Plan = ResultOf<"planPlugin">;

export const pluginsAddCommand: Command = {
  summary: "add a plugin, or a newer version of it: shows what it would run, asks, keeps a private copy",
  positionals: ["PLUGIN"],
  flags: yesFlag,
  examples: ["swarm plugins add ./plugins/acme-bfsi", "swarm plugins add @acme/swarm-plugin --yes"],
  async run(input) {
    const [written] = input.positionals;
    if (written === undefined) throw usage("plugins add", "a folder or the name of a package is missing");
    const path = findPluginFolder(written, process.cwd());
    return withClient(async (client) => {
      const plan = await client.call("planPlugin", { query: { path } });
      const shown = planText(plan);
      // What is let in unasked is shown all the same.
      if (input.flags.has("yes") && !input.isJson) printError(shown);
      if (!(await confirm("plugins add", input, shown, "Add it?"))) return "nothing was added\n";
      const added = await client.call("addPlugin", { body: { path, digest: plan.digest } });
      if (input.isJson) return json({ ...added, plan });
      return `${added.name}: added, ${added.hooks} hooks\n`;
    });
  },
};

/** Everything it would do, and what keeps it from that. Texts are the plugin's own: each stays on its line. */
function planText(plan: Plan): string {
  const { name, version, source, digest, description, files, installed } = plan;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const title = style("bold", `${name}${version === null ? "" : ` ${version}`}`);
  const lines = [
    ...(description === null ? [] : [`  ${description}`]),
    `  from ${source}`,
    `  ${files.length} files, ${bytes} bytes, digest ${digest}`,
    ...(installed === null ? [] : ["", ...changeLines(plan, installed)]),
    "",
    ...hookLines(plan),
    ...functionLines(plan),
    ...plan.skipped.map(({ source: at, reason }) => `  not used: ${reason} (${at})`),
    ...allowLines(plan),
  ];
  return `${[title, ...lines.map((line) => oneLine(line))].join("\n")}\n`;
}

function changeLines({ changes, digest }: Plan, installed: NonNullable<Plan["installed"]>): string[] {
  if (installed.digest === digest) return ["the very files that are installed already"];
  const version = installed.version ?? "the one before";
  return [
    `changes since ${version}, which is installed (digest ${installed.digest}):`,
    ...changes.flatMap(({ path, change, lines }) => [
      `  ${change} ${path}`,
      ...lines.map((line) => `    ${line}`),
    ]),
  ];
}

function hookLines({ hooks, function_hooks }: Plan): string[] {
  if (hooks.length === 0)
    return [
      function_hooks === null ? "it has no hooks" : "its hooks are functions, which it registers itself",
    ];
  return [
    "hooks it would have, in every project of yours:",
    ...hooks.flatMap((hook) => {
      const { event, match, when, mode, timeout_s, on_failure, does, refused_why } = hook;
      const narrowed = `${match === "*" ? "" : ` of ${match}`}${when === null ? "" : ` when ${JSON.stringify(when)}`}`;
      return [
        `  ${hook.name}: ${mode} on ${event}${narrowed}, ${timeout_s} s, on failure ${on_failure}`,
        `    ${does}`,
        ...(refused_why === null ? [] : [`    WOULD NOT RUN: ${refused_why}`, ...denialLines(on_failure)]),
      ];
    }),
  ];
}

function denialLines(onFailure: string): string[] {
  return onFailure === "deny" ? ["    and would DENY every time, as it does when it fails"] : [];
}

function functionLines({ function_hooks }: Plan): string[] {
  if (function_hooks === null) return [];
  return [
    `functions: ${function_hooks} would be loaded into swarm itself. It can do whatever you can: read and change your`,
    "  files, use the network, see every event of every project. Add it only if you trust who wrote it.",
  ];
}

/** The lines to put into the user's list, where they are all that is missing. */
function allowLines({ allowed_shell_commands: declared, hooks }: Plan): string[] {
  if (declared.length === 0 || hooks.every(({ refused_why }) => refused_why === null)) return [];
  return [
    "",
    "to let it run the programs it declares, once you have read them, put into config.yaml:",
    "  plugin_shell_hooks_enabled: true",
    "  plugin_shell_allowlist:",
    ...declared.map((line) => `    - '${line}'`),
  ];
}
