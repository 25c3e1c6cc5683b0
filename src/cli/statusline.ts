import { ago } from "../base/ago.ts";
import { adapters } from "../agents/adapters/index.ts";
import type { Adapter } from "../agents/port/adapter.ts";
import { withClient } from "./client.ts";
import { type Command, usage } from "./command.ts";
import { json } from "./json.ts";
import { guardedBy, type Protection } from "./protection-lines.ts";

export const statuslineCommand: Command = {
  summary:
    "print one line for an agent's status bar: whether it is guarded, by what, and since when that is proven",
  positionals: ["AGENT"],
  examples: ["swarm statusline", "swarm statusline claude-code"],
  notes: [
    'Claude Code shows it with "statusLine": {"type": "command", "command": "swarm statusline claude-code"}.',
  ],
  async run({ positionals: [agent], isJson }) {
    const names = Object.values<Adapter>(adapters).map((adapter) => adapter.agent);
    if (agent !== undefined && !names.some((name) => name === agent))
      throw usage("statusline", `unknown agent ${JSON.stringify(agent)}, expected ${names.join(" or ")}`);
    const found = await withClient((client) =>
      client.call("showProtection", { query: { cwd: process.cwd() } }),
    );
    const agents = agent === undefined ? found.agents : found.agents.filter((its) => its.agent === agent);
    const protection = { ...found, agents };
    return isJson ? json(protection) : `swarm: ${lineOf(protection, Date.now())}\n`;
  },
};

/** The worst is said: a bar that shows green for one agent is read as if it were for all. */
function lineOf(protection: Protection, nowMs: number): string {
  const { is_blocking, agents } = protection;
  if (!is_blocking) return "NOTHING IS BLOCKED (swarm policy init)";
  const open = agents.filter(({ is_guarded }) => !is_guarded);
  if (agents.length === 0 || open.length === agents.length) return "NOT GUARDED (swarm doctor)";
  if (open.length > 0) return `NOT GUARDED: ${open.map(({ title }) => title).join(", ")}`;
  const times = agents.map(({ verdict, verified_at, is_outdated }) =>
    verdict === "enforced" && !is_outdated ? verified_at : null,
  );
  const proven = times.filter((time) => time !== null).toSorted();
  const oldest = proven.length === times.length ? proven[0] : undefined;
  return `${guardedBy(protection)}, ${oldest === undefined ? "not proven (swarm verify)" : `proven ${ago(oldest, nowMs)}`}`;
}
