import type { DecodedCall, NativeCall } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { type AgentTools, namesOfTool } from "./agent-tools.ts";
import { callKey } from "./call-key.ts";
import { type EventRow, rowFor } from "./event-rows.ts";
import { type FieldNames, toOurFields } from "./fields.ts";

/** What there is to know of an agent to read its calls. */
export interface Decoding {
  readonly agent: AgentName;
  readonly rows: readonly EventRow[];
  readonly tools: AgentTools;
  /** What the agent calls the event. */
  nameOf(call: NativeCall): unknown;
  fieldsOf(native: string, row: EventRow | undefined): FieldNames;
  /**
   * What tells this call from every other one of the agent, under our names; null where the same words can mean a
   * second call.
   */
  identityOf(data: DecodedCall["data"], event: DecodedCall["event"]): unknown;
  /** Where the agent is at work, if it is not in `cwd`. */
  cwdOf?(data: DecodedCall["data"]): unknown;
}

export function decodeCall(decoding: Decoding, call: NativeCall): DecodedCall {
  const { agent, rows } = decoding;
  const { payload } = call;
  const nativeEvent = textOf(decoding.nameOf(call)) ?? "";
  const row = rowFor(rows, nativeEvent, payload);
  const event = row?.event ?? "native.unknown";
  const fields = toOurFields(event, payload, decoding.fieldsOf(nativeEvent, row));
  const isUnknown = event === "native.unknown";
  const keyOf = (data: DecodedCall["data"]): string | null =>
    callKey(agent, isUnknown ? nativeEvent : event, decoding.identityOf(data, event));
  const key = keyOf(fields);
  return {
    event,
    nativeEvent,
    data: isUnknown ? { name: nativeEvent, source: agent, payload } : fields,
    origin: {
      session: textOf(fields.session_id),
      // Inside a subagent both its id and its kind are sent; a session started with `--agent` has only the kind.
      agent: textOf(fields.agent_id) ?? textOf(fields.agent_type) ?? textOf(fields.agent_name),
      cwd: textOf(decoding.cwdOf?.(fields)) ?? textOf(fields.cwd),
      source: agent,
      native_event: nativeEvent,
      ...(isUnknown ? {} : { toolNames: namesOfTool(decoding.tools, fields) }),
    },
    key,
    keyWith: isUnknown ? () => key : keyOf,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
