/** `swarm-hooks`: lifecycle hooks inside your own process. No files, no network, no daemon. */

export type { Clock, Timer } from "./base/clock.ts";

export { type EngineErrorCode as ErrorCode, SwarmError } from "./base/swarm-error.ts";
export type { Log } from "./base/log.ts";
export {
  type Answer,
  type AnswerFor,
  allow,
  ask,
  context,
  defer,
  deny,
  type RewriteFor,
  rewrite,
  stop,
} from "./engine/events/answer.ts";
export type { Decision, Verdict } from "./engine/events/decision.ts";
export type { Envelope, Origin } from "./engine/events/envelope.ts";
export type { AnyEventName, Canonical, EventName, Payload, PayloadInput } from "./engine/events/names.ts";
export type { DeniedResult, HandlerRecord, HandlerStatus, Mode, Outcome } from "./engine/events/outcome.ts";
export { validatePayload } from "./engine/events/validate.ts";
export type { HookCall } from "./engine/hooks/call.ts";
export {
  createHooks,
  type EngineOptions,
  type Hooks,
  type Undo,
  type UseOptions,
} from "./engine/hooks/create-hooks.ts";
export type { Handler, HookOptions } from "./engine/hooks/definition.ts";
export type { HookInfo } from "./engine/hooks/hook-info.ts";
export type { CallTool, HookObject } from "./engine/hooks/hook-object.ts";
export { type RegexEngine, useRegexEngine } from "./engine/hooks/linear-regex.ts";
export type { When } from "./engine/hooks/when.ts";
