import { suite } from "node:test";
import type { FieldNames } from "../adapters/fields.ts";
import type { Adapter, DecodedCall, NativeAnswer, NativeCall } from "./adapter.ts";
import { answerCases } from "./adapter-answers.cases.ts";
import { decodeCases } from "./adapter-decode.cases.ts";
import { type SettingsCase, settingsCases } from "./adapter-settings.cases.ts";
import type { Fixture } from "./fixtures.cases.ts";

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
  /** The variables the agent sets for its hooks, and its entry for ours. */
  env(fixture: Fixture): NativeCall["env"];
  /** What it calls the event of a payload; `hook_event_name`, unless it says otherwise. */
  nativeOf?(fixture: Fixture): unknown;
  /** How its fields are called at an event. */
  fieldsOf(call: DecodedCall): FieldNames;
  /** Fields without which its payloads would mean nothing, besides those all agents send. */
  readonly required?: readonly string[];
  /** Names of fields only it has, to try what becomes of them with other values. */
  readonly ownFields?: readonly string[];
  /** Session and folder of a payload; `session_id` and `cwd`, unless it says otherwise. */
  originOf?(payload: NativeCall["payload"]): { readonly session: unknown; readonly cwd: unknown };
  /** Its name of `tool.before`. */
  readonly toolEvent: string;
  /** Its names of events that come again, word for word, without a call id or a time to tell them apart. */
  readonly repeated: readonly string[];
  /** What it is told when there is nothing to say. */
  readonly silence?: string;
  /** Reads an answer as the agent does, written down from its side. Throws on one it would throw away. */
  read(native: string, answer: NativeAnswer, call: DecodedCall): Told;
  readonly settings: SettingsCase;
}

/** The suite every adapter runs in full: whatever the agent, nothing is lost on the way in or out without a word. */
export function adapterCases(given: AdapterCase): void {
  suite(`the adapter of ${given.adapter.title}`, () => {
    decodeCases(given);
    answerCases(given);
    settingsCases(given);
  });
}
