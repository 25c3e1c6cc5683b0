/** `swarm-hooks`: lifecycle hooks inside your own process. No files, no network, no daemon. */

export type { Clock, Timer } from "./base/clock.ts";
export type { ErrorCode } from "./base/error-catalog.ts";
export { SwarmError } from "./base/errors.ts";
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
} from "./events/answer.ts";
export type { Decision, Verdict } from "./events/decision.ts";
export type { Envelope, Origin } from "./events/envelope.ts";
export type { AnyEventName, Canonical, EventName, Payload, PayloadInput } from "./events/names.ts";
export type { DeniedResult, HandlerRecord, HandlerStatus, Mode, Outcome } from "./events/outcome.ts";
export { validatePayload } from "./events/validate.ts";
export type { HookCall } from "./hooks/call.ts";
export {
  createHooks,
  type EngineOptions,
  type Hooks,
  type Undo,
  type UseOptions,
} from "./hooks/create-hooks.ts";
export type { Handler, HookOptions } from "./hooks/definition.ts";
export type { HookInfo } from "./hooks/hook-info.ts";
export type { CallTool, HookObject } from "./hooks/hook-object.ts";
export type { When } from "./hooks/when.ts";
