import { homedir } from "node:os";
import { adapters } from "../agents/adapters/index.ts";
import { oneLine } from "../base/show.ts";
import { unguardedAgents } from "../agents/install/running-agents.ts";
import type { Adapter } from "../agents/port/adapter.ts";
import { withClient } from "./client.ts";
import type { Command } from "./command.ts";
import { json } from "./json.ts";
import { agentLines, inForceLine } from "./protection-lines.ts";
import { runEventLine } from "./run-event-line.ts";
import { style } from "./style.ts";
import { swarmHome } from "./swarm-home.ts";

export const statusCommand: Command = {
  summary: "tell what is guarded here and which agents are proven to obey, and what happened last",
  positionals: [],
  examples: ["swarm status", "swarm status --json"],
  async run({ isJson }) {
    const status = await withClient(async (client) => {
      const { address, pid, version } = await client.call("health");
      const overview = await client.call("showOverview", { query: { cwd: process.cwd() } });
      const { items } = await client.call("listEvents", { query: { limit: 5 } });
      const { items: flags } = await client.call("listFlags");
      const { config_files, config_problem, hooks, guards, untrusted, is_blocking, rules, agents } = overview;
      return {
        running: client.isDaemon,
        address,
        pid: client.isDaemon ? pid : null,
        version,
        home: swarmHome(),
        config_files,
        config_problem,
        is_blocking,
        rules,
        hooks,
        guards,
        untrusted,
        agents,
        flags: Object.fromEntries(flags.map(({ name, value }) => [name, value])),
        pending_approvals: overview.pending_approvals,
        recorded: overview.recorded,
        signed: overview.signed,
        last_events: items,
      };
    });
    const unguarded_agents = unguardedAgents(Object.values<Adapter>(adapters), homedir());
    if (isJson) return json({ ...status, unguarded_agents });
    const { running, address, pid, home, config_files, config_problem, recorded, pending_approvals } = status;
    return [
      running
        ? `daemon   running at ${address}, process ${pid}`
        : "daemon   not running: start it with swarm up",
      `home     ${oneLine(home)}`,
      `config   ${oneLine(config_problem ?? (config_files.join(", ") || "none: swarm policy init writes the user's, swarm hooks new a project's"))}`,
      `guards   ${inForceLine(status)}`,
      ...agentLines(status).map((line, at) => `${at === 0 ? "agents" : "      "}   ${line}`),
      ...(status.flags.hooks_enabled === false
        ? ["flags    hooks_enabled is off: no hook is called; see swarm flags list"]
        : []),
      ...(pending_approvals === 0
        ? []
        : [`asked    ${pending_approvals} wait for a person: swarm approvals list --status pending`]),
      ...unguarded_agents.map(
        ({ pid, agent, why }) => `         ${style("red", `${agent}, process ${pid}, ${why}`)}`,
      ),
      `record   ${recorded} rows`,
      ...status.last_events.map((row) => `         ${runEventLine(row)}`),
      "",
    ].join("\n");
  },
};
