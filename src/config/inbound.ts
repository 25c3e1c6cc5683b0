import { idPattern } from "../base/ids.ts";
import { show } from "../base/show.ts";
import { canonicalName, type EventName, isOwnEvent } from "../events/names.ts";
import { readSecret } from "./action.ts";
import { type Field, readFields } from "./fields.ts";
import { inboundKeys } from "./keys.ts";
import { type ConfigNode, checkAt, invalid, showNode } from "./node.ts";
import type { Reading } from "./reading.ts";

/** Somebody who may send messages in, and the event each of them becomes. */
export interface InboundSource {
  readonly name: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly event: EventName;
}

/** What stands under `inbound:`, a map from the source's name to what is known of it. */
export function readInbound(reading: Reading, node: ConfigNode): InboundSource[] {
  const { file } = reading;
  if (node.kind !== "map")
    throw invalid(file, node.at, `inbound is ${showNode(node)}, expected a map of sources`);
  return node.entries.map(({ key: name, at, value }) => {
    if (!idPattern.test(name)) {
      const expected = "letters, digits, _ and -, at most 64";
      throw invalid(file, at, `the source ${show(name)} cannot be part of an address, expected ${expected}`);
    }
    const { secret, previous_secret: previous, event } = readFields(file, value, "the source", inboundKeys);
    return {
      name,
      secret: readSecret(reading, "secret", secret),
      previousSecret: previous === undefined ? null : readSecret(reading, "previous_secret", previous),
      event: event === undefined ? "notification" : readEvent(file, event),
    };
  });
}

function readEvent(file: string, { value, at }: Field<string>): EventName {
  const event = checkAt(file, at, () => canonicalName(value));
  if (isOwnEvent(event)) {
    throw invalid(file, at, `event is ${show(value)}, expected one that is not the system's own`);
  }
  return event;
}
