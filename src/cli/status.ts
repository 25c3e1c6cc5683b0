import { homedir } from "node:os";
import { adapters } from "../agents/adapters/index.ts";
import { SwarmError } from "../base/errors.ts";
import { oneLine } from "../base/show.ts";
import { unguardedAgents } from "../agents/install/running-agents.ts";
import type { Adapter } from "../agents/port/adapter.ts";
import { type Client, type ResultOf, withClient } from "./client.ts";
import type { Command } from "./command.ts";
import { json } from "./json.ts";
import { runEventLine } from "./run-event-line.ts";
import { swarmHome } from "./swarm-home.ts";

export const statusCommand: Command = {
  summary: "tell whether the daemon runs, what is in force here and what happened last",
  positionals: [],
  examples: ["swarm status", "swarm status --json"],
  async run({ isJson }) {
    const status = await withClient(async (client) => {
      const { address, pid, version } = await client.call("health");
      const hooks = await hooksInForce(client);
      const { items } = await client.call("listEvents", { query: { limit: 5 } });
      const { head } = await client.call("signedHead");
      const { items: flags } = await client.call("listFlags");
      const asked = await client.call("listApprovals", { query: { status: "pending", limit: 1_000 } });
      return {
        running: client.isDaemon,
        address,
        pid: client.isDaemon ? pid : null,
        version,
        home: swarmHome(),
        config_files: hooks.files,
        config_problem: hooks.problem,
        hooks: hooks.items.length,
        guards: hooks.items.filter(({ on_failure }) => on_failure === "deny").length,
        untrusted: hooks.items.filter(({ trust }) => trust !== "own" && trust !== "trusted").length,
        flags: Object.fromEntries(flags.map(({ name, value }) => [name, value])),
        pending_approvals: asked.items.length,
        recorded: items[0]?.seq ?? 0,
        signed: head?.seq ?? 0,
        last_events: items,
      };
    });
    const unguarded_agents = unguardedAgents(Object.values<Adapter>(adapters), homedir());
    if (isJson) return json({ ...status, unguarded_agents });
    const { running, address, pid, home, config_files, config_problem, hooks, guards, untrusted, recorded } =
      status;
    const { pending_approvals } = status;
    return [
      running
        ? `daemon   running at ${address}, process ${pid}`
        : "daemon   not running: start it with swarm up",
      `home     ${oneLine(home)}`,
      `config   ${oneLine(config_problem ?? (config_files.join(", ") || "none: write a swarm.yaml, see docs/configuration.md"))}`,
      `hooks    ${hooks} in force in this folder, ${guards} of them deny when they fail`,
      ...(status.flags.hooks_enabled === false
        ? ["flags    hooks_enabled is off: no hook is called; see swarm flags list"]
        : []),
      ...(untrusted === 0 ? [] : [`trust    ${untrusted} of them do not run: look at them with swarm trust`]),
      ...(pending_approvals === 0
        ? []
        : [`asked    ${pending_approvals} wait for a person: swarm approvals list --status pending`]),
      ...unguarded_agents.map(({ pid, agent, why }) => `agents   ${agent}, process ${pid}, ${oneLine(why)}`),
      `record   ${recorded} rows`,
      ...status.last_events.map((row) => `         ${runEventLine(row)}`),
      "",
    ].join("\n");
  },
};

/** A file that is broken is part of the status, not the end of it. */
async function hooksInForce(
  client: Client,
): Promise<Pick<ResultOf<"listHooks">, "files" | "problem" | "items">> {
  try {
    return await client.call("listHooks", { query: { cwd: process.cwd() } });
  } catch (error) {
    if (!(error instanceof SwarmError && error.code.startsWith("SWARM_CONFIG_"))) throw error;
    return { files: [], problem: error.message, items: [] };
  }
}
