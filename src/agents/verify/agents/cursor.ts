import type { UnprovableAgent } from "./agent-program.ts";

export const cursor: UnprovableAgent = {
  agent: "cursor",
  unprovable:
    "not provable here: Cursor's agent runs on Cursor's servers, and only its tools run on this machine, so no model on " +
    "loopback can take its place; what is known of its hooks is read from its SDK 1.0.32",
};
