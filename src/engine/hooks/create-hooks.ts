import { type Clock, systemClock } from "../../base/clock.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import { defaultLog, type Log } from "../../base/log.ts";
import type { Origin } from "../events/envelope.ts";
import {
  type AnyEventName,
  type Canonical,
  canonicalName,
  type PayloadInput,
  unknownEvent,
} from "../events/names.ts";
import { type Mode, Outcome } from "../events/outcome.ts";
import { checkPayload } from "../events/validate.ts";
import {
  checkOptionNames,
  defineHook,
  type Guard,
  type HookOptions,
  type Observer,
  type Transform,
} from "./definition.ts";
import { dispatch } from "./dispatch.ts";
import { Engine, type EngineListener } from "./engine.ts";
import type { HandlerFunction } from "./handler.ts";
import { describeHook, type HookInfo } from "./hook-info.ts";
import { type CallTool, type HookObject, readHookObject, toolHandler } from "./hook-object.ts";

export interface EngineOptions {
  /** False makes every emit a hard no-op. Default true. */
  readonly hooksEnabled?: boolean | undefined;
  /** Fills `outcome.handlers`, one record per handler. Default false. */
  readonly trace?: boolean | undefined;
  /**
   * Whether each payload is checked before a handler sees it: types, size, cycles. Default true. It costs 100
   * to 150 ns for a small payload; turn it off where the caller is typed and trusted. What matchers read is always checked.
   */
  readonly validate?: boolean | undefined;
  /** Where failures of handlers are told. Default: Node's warnings, or the console where there is no Node. */
  readonly log?: Log | undefined;
  readonly clock?: Clock | undefined;
}

/** Removes what was registered; harmless when called again. */
export type Undo = () => void;

export interface UseOptions {
  readonly callTool: CallTool;
  /** Prefix of the hooks' names. */
  readonly plugin?: string | undefined;
  readonly priority?: number | undefined;
  /** Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a mode that is not the default and so has to be named. */
type InMode<E extends AnyEventName, M extends Mode> = HookOptions<E, M> & { readonly mode: M };

export interface Hooks {
  on<E extends AnyEventName>(event: E, handler: Transform<E>): Undo;
  on<E extends AnyEventName>(event: E, options: HookOptions<E, "transform">, handler: Transform<E>): Undo;
  on<E extends AnyEventName>(event: E, options: InMode<E, "guard">, handler: Guard<E>): Undo;
  on<E extends AnyEventName>(event: E, options: InMode<E, "observe">, handler: Observer<E>): Undo;
  /** Where the mode is known only at run time: what is legal in every mode. */
  on<E extends AnyEventName>(event: E, options: HookOptions<E>, handler: Guard<E>): Undo;
  /** Tells every hook of the event. A value when all of them answered at once, else a promise: `await` takes both. */
  emit<E extends AnyEventName>(
    event: E,
    data: PayloadInput<E>,
    origin?: Origin,
  ): Outcome<Canonical<E>> | Promise<Outcome<Canonical<E>>>;
  /** The registered hooks, by event and in the order they run. */
  list(): HookInfo[];
  /** Registers an object of tool names; the returned undo serialises back to the same JSON. */
  use(hookObject: HookObject, options: UseOptions): Undo & { toJSON(): HookObject };
  /** Refuses new events, then waits for those under way and for observers. */
  close(): Promise<void>;
}

/** An engine of its own: no files, no network, nothing shared with another one. */
export function createHooks(options: EngineOptions = {}): Hooks {
  return openHooks(options).hooks;
}

/** @internal */
export interface OpenHooks {
  readonly hooks: Hooks;
  /** Registers a handler of another kind than a function. */
  register(event: string, options: object, handler: HandlerFunction, kind: string): Undo;
}

/**
 * The same with the door that other kinds of handlers come in by.
 * @internal It is no part of what an embedding program sees, and its types lead to every file of the engine.
 */
export function openHooks(options: EngineOptions = {}, listener: EngineListener = {}): OpenHooks {
  if (typeof options !== "object" || options === null)
    throw invalidOption("createHooks", "options", "an object", options);
  checkOptionNames("createHooks", options, ["hooksEnabled", "trace", "validate", "log", "clock"]);
  const { clock = systemClock, log = defaultLog } = options;
  if (typeof log?.warn !== "function")
    throw invalidOption("createHooks", "log", "an object with a function warn", log);
  if (typeof clock?.setTimer !== "function") throw invalidOption("createHooks", "clock", "a Clock", clock);
  const isEnabled = readFlag(options, "hooksEnabled", true);
  const engine = new Engine(
    clock,
    log,
    readFlag(options, "trace", false),
    readFlag(options, "validate", true),
    listener,
  );
  const { registry, background, deadlines } = engine;
  let isClosed = false;
  let sequence = 0;

  function register(written: string, hookOptions: object, handler: unknown, kind?: string): Undo {
    if (isClosed) throw new SwarmError("SWARM_ENGINE_CLOSED", { operation: "on" });
    const known = hookOptions as Readonly<Record<string, unknown>>;
    const define = () => defineHook(canonicalName(written), known, handler, ++sequence, kind);
    let hook = define();
    // A made-up name that somebody chose is made up anew.
    while (known.name === undefined && registry.isNameTaken(hook.name)) hook = define();
    return registry.add(hook);
  }

  const hooks = {
    on(event: string, ...rest: unknown[]): Undo {
      const [hookOptions, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
      if (typeof hookOptions !== "object" || hookOptions === null)
        throw invalidOption(`hook on ${event}`, "options", "an object", hookOptions);
      return register(event, hookOptions, handler);
    },

    emit(event: string, data: Readonly<Record<string, unknown>>, origin?: Origin) {
      const eventHooks = registry.find(event);
      if (eventHooks === undefined) throw unknownEvent(event);
      if (!isEnabled) return new Outcome(eventHooks.event, data as Outcome["data"]);
      if (isClosed) throw new SwarmError("SWARM_ENGINE_CLOSED", { operation: "emit" });
      if (typeof data !== "object" || data === null) checkPayload(eventHooks.check, data);
      return dispatch(engine, eventHooks, data, origin);
    },

    list: () => registry.list().map(describeHook),

    use(hookObject: HookObject, useOptions: UseOptions) {
      const { callTool, ...hookOptions } = checkUseOptions(useOptions);
      const toolHooks = readHookObject(hookObject);
      const json = { ...hookObject };
      const undos: Undo[] = [];
      const undo = () => undos.forEach((undoOne) => void undoOne());
      try {
        for (const { event, tool } of toolHooks) {
          const options = { ...hookOptions, timeoutMs: hookOptions.timeoutMs ?? limits.toolTimeoutMs };
          undos.push(register(event, options, toolHandler(tool, callTool), "mcp_tool"));
        }
      } catch (error) {
        undo(); // all of the object's hooks or none
        throw error;
      }
      return Object.assign(undo, { toJSON: () => ({ ...json }) });
    },

    async close(): Promise<void> {
      isClosed = true;
      await background.idle();
      deadlines.close();
    },
  };
  return {
    hooks: hooks as Hooks,
    register,
  };
}

function readFlag(
  options: EngineOptions,
  option: "hooksEnabled" | "trace" | "validate",
  fallback: boolean,
): boolean {
  const value: unknown = options[option] ?? fallback;
  if (typeof value === "boolean") return value;
  throw invalidOption("createHooks", option, "true or false", value);
}

function checkUseOptions(options: UseOptions): UseOptions {
  const where = "use";
  if (typeof options !== "object" || options === null)
    throw invalidOption(where, "options", "an object", options);
  checkOptionNames(where, options, ["callTool", "plugin", "priority", "timeoutMs"]);
  if (typeof options.callTool === "function") return options;
  const expected = "a function that calls a tool";
  throw invalidOption(where, "callTool", expected, options.callTool);
}
