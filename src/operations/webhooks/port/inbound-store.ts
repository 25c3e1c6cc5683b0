/** Written with the row of the record that tells of the message; throws SWARM_INBOUND_REPLAYED when it is known. */
export interface InboundChange {
  readonly kind: "inbound_message";
  readonly source: string;
  readonly id: string;
  readonly receivedAtMs: number;
}

/** Ids of messages that were taken in, so that none is taken twice. */
export interface InboundStore {
  isKnown(source: string, id: string): Promise<boolean>;
  /** Forgets ids from before this time; older messages are refused for their age. */
  expire(receivedBeforeMs: number): Promise<number>;
}
