import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { idPattern } from "../../base/ids.ts";
import { createHooks, type EngineOptions, type Hooks, type Outcome, SwarmError } from "../../index.ts";
import { type ManualClock, manualClock } from "../testing/index.ts";

export interface Warning {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestEngine {
  readonly hooks: Hooks;
  readonly clock: ManualClock;
  readonly warnings: Warning[];
}

/** An engine with time in the test's hand. When the test is over nothing of it may still run. */
export function startEngine(t: TestContext, options: EngineOptions = {}): TestEngine {
  const clock = manualClock();
  const warnings: Warning[] = [];
  const log = {
    warn: (message: string, fields: Warning["fields"]) => void warnings.push({ message, fields }),
  };
  const hooks = createHooks({ clock, log, ...options });
  t.after(async () => {
    await settled(hooks.close());
    assert.equal(clock.pendingTimers, 0, "a timer is left after close()");
  });
  return { hooks, clock, warnings };
}

/** One turn of the event loop: promises settle, and what was scheduled for later has run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const stillWaiting = Symbol("still waiting");

/** Waits like `await`, but a value that never comes fails the test instead of ending the process. */
export async function settled<T>(value: T | Promise<T>): Promise<T> {
  for (let turns = 0; turns < 50; turns++) {
    const first = await Promise.race([value, turn().then(() => stillWaiting)]);
    if (first !== stillWaiting) return first as T;
  }
  return assert.fail("still waiting after 50 turns of the event loop");
}

/** An outcome as it is written, without the id, which no two have in common. */
export function written(outcome: Outcome): Record<string, unknown> {
  const { id, ...rest } = JSON.parse(JSON.stringify(outcome)) as Record<string, unknown>;
  assert.match(String(id), idPattern);
  return rest;
}

/** The outcome of an emit that must not have to wait for anything. */
export function atOnce<T extends Outcome>(emitted: T | Promise<T>): T {
  assert.ok(!(emitted instanceof Promise), "expected a value, not a promise");
  return emitted;
}

export function errorOf(action: () => unknown): SwarmError {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof SwarmError, `expected a catalogued error, got ${String(error)}`);
    return error;
  }
  return assert.fail("expected an error");
}

export const noDecision = { verdict: "none", reason: null, hook: null, context: [], stop: null };

export const bash = { tool_name: "bash", tool_input: { command: "ls" } };

/** A record of the trace, where it differs from a function that completed and had nothing to say. */
export function record(name: string, differs: Readonly<Record<string, unknown>> = {}) {
  return {
    name,
    kind: "function",
    mode: "transform",
    status: "completed",
    verdict: "none",
    reason: null,
    ms: 0,
    ...differs,
  };
}
