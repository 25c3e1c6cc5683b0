import { withClient } from "../../../cli/client.ts";
import { type Command, type CommandInput, usage } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { table } from "../../../cli/table.ts";
import type { agentStatuses } from "../port/agent.ts";

export const agentsRegisterCommand: Command = {
  summary: "register an agent; prints its token, this once, for SWARM_AGENT_TOKEN of its environment",
  positionals: [],
  options: {
    id: "ID  its id; default one that is made",
    kind: "worker|lead  a lead also says what becomes of tasks; default worker",
    role: "ROLE  role of the tasks it works on; default any",
    model: "MODEL  model it runs on",
    program: "NAME  coding agent it is, such as codex",
    worktree: "FOLDER  folder it works in",
    task: "TASK  task it is started for",
    pid: "PID  its process",
  },
  examples: [
    "swarm agents register --role backend --model sonnet",
    "swarm agents register --id builder --kind lead --json",
  ],
  async run({ options, isJson }) {
    const { id: agent_id, kind, role, model, program, worktree, task: task_id, pid } = options;
    if (pid !== undefined && !/^\d{1,9}$/.test(pid)) throw usage("agents register", "--pid is no number");
    const body = {
      agent_id,
      role,
      model,
      program,
      worktree,
      task_id,
      ...(pid !== undefined && { pid: Number(pid) }),
    };
    const given = { ...body, kind: kind as "worker" | undefined };
    const registered = await withClient((client) => client.call("registerAgent", { body: given }));
    if (isJson) return json(registered);
    return `${registered.agent.agent_id} is registered\nSWARM_AGENT_TOKEN=${registered.token}\n`;
  },
};

export const agentsListCommand: Command = {
  summary: "list the swarm's agents, newest first",
  positionals: [],
  options: { status: "STATUS  running, completed or killed" },
  examples: ["swarm agents list", "swarm agents list --status running --json"],
  async run({ options, isJson }) {
    const status = options.status as (typeof agentStatuses)[number] | undefined;
    const found = await withClient((client) =>
      client.call("listAgents", { query: { status, limit: 1_000 } }),
    );
    if (isJson) return json(found);
    if (found.items.length === 0) return "no agents: register one with swarm agents register\n";
    const rows = found.items.map((agent) => [
      agent.agent_id,
      agent.status,
      agent.kind,
      agent.role ?? "-",
      agent.task_id ?? "-",
      agent.last_activity_at,
    ]);
    return table(["AGENT", "STATUS", "KIND", "ROLE", "TASK", "LAST_ACTIVITY"], rows);
  },
};

export const agentsHeartbeatCommand: Command = {
  summary: "give a sign of life of an agent; its lease is renewed with it",
  positionals: ["AGENT"],
  options: { progress: "TEXT  what it is doing" },
  examples: ['swarm agents heartbeat builder --progress "running the tests"'],
  async run(input) {
    const id = agentIn("agents heartbeat", input);
    const { progress } = input.options;
    const agent = await withClient((client) =>
      client.call("agentHeartbeat", { params: { id }, body: { progress } }),
    );
    return input.isJson ? json(agent) : `${agent.agent_id} was heard of at ${agent.last_activity_at}\n`;
  },
};

export const agentsCompleteCommand: Command = {
  summary: "say that an agent has finished; what it still holds goes back",
  positionals: ["AGENT"],
  options: { summary: "TEXT  what it did" },
  examples: ['swarm agents complete builder --summary "Added the endpoint"'],
  async run(input) {
    const id = agentIn("agents complete", input);
    const { summary } = input.options;
    if (summary === undefined) throw usage("agents complete", "--summary is missing");
    const agent = await withClient((client) =>
      client.call("completeAgent", { params: { id }, body: { summary } }),
    );
    return input.isJson ? json(agent) : `${agent.agent_id} is ${agent.status}\n`;
  },
};

export const agentsKillCommand: Command = {
  summary: "end an agent: its token and lease are worth nothing, its next tool call is denied",
  positionals: ["AGENT"],
  options: { reason: "TEXT  why" },
  examples: ['swarm agents kill builder --reason "works on the wrong branch"'],
  async run(input) {
    const id = agentIn("agents kill", input);
    const { reason } = input.options;
    if (reason === undefined) throw usage("agents kill", "--reason is missing");
    const agent = await withClient((client) =>
      client.call("killAgent", { params: { id }, body: { reason } }),
    );
    return input.isJson ? json(agent) : `${agent.agent_id} is ${agent.status}\n`;
  },
};

function agentIn(command: string, { positionals: [id] }: CommandInput): string {
  if (id === undefined) throw usage(command, "the id of an agent is missing");
  return id;
}
