import { suite } from "node:test";
import type { Adapter, NativeAnswer, NativeCall } from "./adapter.ts";
import { answerCases } from "./adapter-answers.cases.ts";
import { decodeCases } from "./adapter-decode.cases.ts";
import { settingsCases } from "./adapter-settings.cases.ts";

/** What an agent makes of an answer. */
export interface Told {
  readonly isDenied: boolean;
  readonly isAllowed: boolean;
  readonly isAsked: boolean;
  readonly isStopped: boolean;
  /** What the model or the user is given as the reason. */
  readonly reason: string;
  readonly context: string;
  /** The new arguments or result; undefined when there are none. */
  readonly rewritten: unknown;
}

export const nothingTold: Told = {
  isDenied: false,
  isAllowed: false,
  isAsked: false,
  isStopped: false,
  reason: "",
  context: "",
  rewritten: undefined,
};

export interface AdapterCase {
  readonly adapter: Adapter;
  /** Folder of the recorded and made-up payloads. */
  readonly fixtures: string;
  /** The variables the agent sets for its hooks. */
  env(payload: NativeCall["payload"]): NativeCall["env"];
  /** Reads an answer as the agent does, written down from its side. Throws on one it would throw away. */
  read(native: string, answer: NativeAnswer): Told;
}

/** The suite every adapter runs in full: whatever the agent, nothing is lost on the way in or out without a word. */
export function adapterCases(given: AdapterCase): void {
  suite(`the adapter of ${given.adapter.title}`, () => {
    decodeCases(given);
    answerCases(given);
    settingsCases(given.adapter);
  });
}
