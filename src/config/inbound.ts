import type { KeyObject } from "node:crypto";
import { idPattern } from "../base/ids.ts";
import { show } from "../base/show.ts";
import { canonicalName, type EventName, isOwnEvent } from "../engine/events/names.ts";
import { signingKeys } from "../net/standard-webhooks.ts";
import { readSecret } from "./action.ts";
import { type Placed, readFields } from "./fields.ts";
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
  const taken: { readonly name: string; readonly keys: readonly KeyObject[] }[] = [];
  return node.entries.map(({ key: name, at, value }) => {
    if (!idPattern.test(name)) {
      const expected = "letters, digits, _ and -, at most 64";
      throw invalid(file, at, `the source ${show(name)} cannot be part of an address, expected ${expected}`);
    }
    const { secret, previous_secret: previous, event } = readFields(file, value, "the source", inboundKeys);
    const secrets = {
      secret: readSecret(reading, "secret", secret),
      previousSecret: previous === undefined ? null : readSecret(reading, "previous_secret", previous),
    };
    const keys = signingKeys(secrets.secret, secrets.previousSecret);
    // A signature does not tell who the message is for, and ids are remembered by source.
    const other = taken.find((one) => one.keys.some((key) => keys.some((own) => own.equals(key))));
    if (other !== undefined) {
      const expected = "expected one of its own: a message to one would be taken by both";
      throw invalid(file, at, `the source ${name} has a secret that is also ${other.name}'s, ${expected}`);
    }
    taken.push({ name, keys });
    return { name, ...secrets, event: event === undefined ? "notification" : readEvent(file, event) };
  });
}

function readEvent(file: string, { value, at }: Placed<string>): EventName {
  const event = checkAt(file, at, () => canonicalName(value));
  if (isOwnEvent(event)) {
    throw invalid(file, at, `event is ${show(value)}, expected one that is not the system's own`);
  }
  return event;
}
