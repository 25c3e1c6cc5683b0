import type { AgentName } from "../../agents/port/agents.ts";
import { oneLine } from "../../base/show.ts";
import { type Client, withClient } from "../client.ts";
import { wrapToScreen } from "../definitions.ts";
import { style } from "../style.ts";
import { toolCallOf } from "../tool-call.ts";

/** What our hooks saw of one run. */
export interface Summary {
  readonly agent: AgentName;
  /** Calls of the agent that a hook was asked about, tool calls among them. */
  readonly seen: number;
  readonly tool_calls: number;
  readonly stopped: readonly StoppedCall[];
}

interface StoppedCall {
  readonly verdict: "deny" | "ask";
  readonly call: string;
  readonly reason: string | null;
}

const pageRows = 200;

/** From the record of the trial, which is nobody else's. */
export async function summarise(agent: AgentName): Promise<Summary> {
  return withClient(async (client) => {
    let [seen, toolCalls] = [0, 0];
    const stopped: StoppedCall[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: pageRows, ...(cursor && { cursor }) };
      const page = await client.call("listEvents", { query });
      for (const row of page.items.filter(({ kind, source }) => kind === "emit" && source === agent)) {
        seen++;
        if (row.event === "tool.before") toolCalls++;
        if (row.verdict === "deny" || row.verdict === "ask")
          stopped.push(await stoppedCall(client, row, row.verdict));
      }
      cursor = page.next_cursor;
    }
    return { agent, seen, tool_calls: toolCalls, stopped: stopped.toReversed() };
  });
}

async function stoppedCall(
  client: Client,
  row: Parameters<typeof toolCallOf>[1],
  verdict: "deny" | "ask",
): Promise<StoppedCall> {
  const call = await toolCallOf(client, row);
  return { verdict, call: call?.shown ?? row.event, reason: row.reason };
}

/** Of more calls the record has the rest. */
const maxShownCalls = 10;
const maxShownChars = 300;

export function summaryText({ agent, seen, tool_calls, stopped }: Summary, kept: string | null): string {
  const count = (verdict: string) => stopped.filter((one) => one.verdict === verdict).length;
  const [denied, asked] = [count("deny"), count("ask")];
  const lines = [
    "",
    seen === 0
      ? style("red", `no hook was called: ${agent} made no call, or did not take the hooks`)
      : `${style("bold", "trial")}  ${tool_calls} tool calls seen: ${denied} denied, ${asked} asked about, ${tool_calls - denied - asked} let through`,
    ...stopped.slice(0, maxShownCalls).flatMap(callLines),
    ...(stopped.length > maxShownCalls ? [`       and ${stopped.length - maxShownCalls} more`] : []),
    ...(denied + asked === 0
      ? []
      : [`       without the hooks, ${agent} would have made them by its own permissions alone`]),
    kept === null
      ? "       nothing was installed, and the record of the trial is gone"
      : `       the record: SWARM_HOME=${kept} swarm logs`,
    `${style("dim", "next")}   swarm init guards every agent of this machine; swarm scan says what they did so far`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}

function callLines({ verdict, call, reason }: StoppedCall): string[] {
  const lead = "       ";
  const [first = "", ...more] = wrapToScreen(
    oneLine(`${call}: ${reason ?? ""}`, maxShownChars),
    lead.length + 5,
  );
  return [
    `${lead}${style(verdict === "deny" ? "red" : "yellow", verdict.padEnd(4))} ${first}`,
    ...more.map((line) => `${lead}     ${line}`),
  ];
}
