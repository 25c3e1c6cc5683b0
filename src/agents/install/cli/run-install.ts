import { userInfo } from "node:os";
import { resolve } from "node:path";
import { adapters } from "../../adapters/index.ts";
import { type ClientProgram, makeClient } from "../client-program.ts";
import { agentTokenVariable } from "../../port/adapter.ts";
import { serverSettings } from "../../adapters/mcp-servers/index.ts";
import type { ToolServer } from "../../adapters/mcp-servers/tool-server.ts";
import { applyServers, planServers } from "../servers.ts";
import { applyInstall, type Change, type InstallPlan, planInstall } from "../install.ts";
import { Installations } from "../installations.ts";
import type { Migration } from "../migrate.ts";
import type { RecordedChange } from "../../../record/port/run-event.ts";
import type { Runtime } from "../../../daemon/runtime/runtime.ts";
import { type CommandInput, usage } from "../../../cli/command.ts";
import { openLocalRuntime } from "../../../cli/home.ts";
import { json } from "../../../cli/json.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { isChange, isWanted } from "./ask.ts";
import { clientPlace } from "./client-place.ts";
import { describeHook, keptLines, movedLines } from "./migration-lines.ts";
import { readInput } from "./read-input.ts";

export async function runInstall(input: CommandInput): Promise<string> {
  const { scope, folders, chosen } = readInput("install", input);
  const home = swarmHome();
  const runtime = await openLocalRuntime();
  try {
    const client = makeClient(clientPlace());
    const { config } = runtime.projects.at();
    const isMigrating = input.flags.has("migrate");
    const plan = planInstall(chosen, { home, scope, folders, client, config, isMigrating });
    if (input.flags.has("mcp") && scope !== "user")
      throw usage("install", "--mcp is for the user's own settings, expected --scope user");
    const servers = input.flags.has("mcp") ? planServers(chosen, toolServer(home), folders) : [];
    const edits = [plan.migration?.config ?? [], plan.changes, servers].flat();
    if (!(await isWanted(edits, input, [...keptLines(plan), clientLine(client)])))
      return "nothing was changed\n";
    await applyPlan(runtime, plan, home);
    applyServers(servers, home);
    await recordInstalled(runtime, servers, "MCP server, ");
    const missing = input.flags.has("mcp")
      ? chosen.filter(({ agent }) => serverSettings[agent] === undefined)
      : [];
    if (input.isJson) return asJson(plan, client, home, servers);
    const lines = [
      ...servers.map(({ agent, file }) => `${agent}: has the swarm's tools, ${file}`),
      ...missing.map(
        ({ agent }) => `${agent}: add the MCP server yourself: ${toolServer(home).argv.join(" ")}`,
      ),
    ];
    return asText(plan, client, home) + lines.map((line) => `${line}\n`).join("");
  } finally {
    await runtime.close();
  }
}

/** Moving hooks changes two files: announced first, so that a crash in between can be seen. */
export async function applyPlan(runtime: Runtime, plan: InstallPlan, home: string): Promise<void> {
  const actor = `human:${userInfo().username}`;
  const report = await announceMove(runtime, plan.migration, actor);
  try {
    applyInstall(plan, home);
  } catch (error) {
    await report?.({ outcome: "failed", reason: (error as Error).message });
    throw error;
  }
  await report?.({ outcome: "completed" });
  await recordInstalled(runtime, plan.changes);
}

/** Agents do not hand all of their environment to a server: what it has to know stands in its entry. */
function toolServer(home: string): ToolServer {
  const { node, cli } = clientPlace(home);
  return { argv: [node, resolve(cli), "mcp"], env: { SWARM_HOME: home }, passes: [agentTokenVariable] };
}

async function recordInstalled(runtime: Runtime, changes: readonly Change[], what = ""): Promise<void> {
  const actor = `human:${userInfo().username}`;
  for (const { agent, scope, file } of changes.filter(isChange)) {
    const event: RecordedChange = "agent.installed";
    const reason = `${agent}, ${what}${scope}: ${file}`;
    await runtime.audit.record({ kind: "change", event, actor, agent, reason });
  }
}

/** Null when nothing moves. */
async function announceMove(runtime: Runtime, migration: Migration | null, actor: string) {
  if (migration === null || migration.moved.length === 0) return null;
  const agents = [...new Set(migration.moved.map(({ agent }) => agent))].join(", ");
  const event: RecordedChange = "agent.migrated";
  const reason = `${migration.moved.length} hooks of ${agents} to ${migration.config.file}`;
  return runtime.audit.intent({ event, actor, reason });
}

function asJson(
  { changes, migration }: InstallPlan,
  client: ClientProgram,
  home: string,
  servers: readonly Change[],
): string {
  const files = [...changes, ...servers].map(({ agent, scope, file, before, after }) => ({
    agent,
    scope,
    file,
    is_changed: before !== after,
  }));
  if (migration === null) return json({ files, client });
  const { config, moved, kept } = migration;
  const installations = new Installations(home);
  return json({
    files,
    client,
    migration: {
      file: config.file,
      is_changed: isChange(config),
      moved: moved.map(({ agent, hook }) => ({ agent, ...describeHook(hook) })),
      kept: kept.map(({ agent, hook, reason }) => ({ agent, ...describeHook(hook), reason })),
      backups: changes.flatMap(({ file }) => {
        const { moved: copies } = installations.find(file) ?? {};
        return copies == null
          ? []
          : [{ file, settings: copies.settings_backup, config: copies.config_backup }];
      }),
    },
  });
}

function asText(plan: InstallPlan, client: ClientProgram, home: string): string {
  const { changes } = plan;
  const lines = changes.map(({ agent, file, before, after }) =>
    before === after ? `${agent}: ${file} is as it should be` : `${agent}: installed, ${file}`,
  );
  const trust = changes
    .map(({ agent }) => adapters[agent])
    .filter(({ trust: left }) => left !== null)
    .map(({ agent, trust: left }) => `${agent}: ${left}`);
  const more = [...movedLines(plan, new Installations(home)), ...keptLines(plan)];
  const inert = changes.flatMap(({ agent, file, after }) => {
    const why = adapters[agent].settings.whyInert(after);
    return why === null ? [] : [`${agent}: WILL NOT RUN our hooks: ${why} (${file})`];
  });
  const notes = [...more, ...trust, ...inert];
  return `${[...lines, ...notes, clientLine(client), "prove it: swarm verify"].join("\n")}\n`;
}

function clientLine({ kind, argv, note }: ClientProgram): string {
  return `agents start ${argv[0]}${note === null ? "" : ` (${kind}: ${note})`}`;
}
